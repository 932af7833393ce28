DelayBoot that is raised after the delay has passed holds off the reboot again, for the rest of it.
conf
RebootProgram=/sbin/reboot
ResumeTimeout=60
SelectTypeParameters=CR_Core
SchedulerParameters=delay_boot=1
NodeName=n1 CPUs=2 Feature=f1,f2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
at 0s helpers "NodeName=n1 Feature=f1,f2 Helper=/bin/true" "MutuallyExclusive=f1,f2" "AllowUserBoot=user"
at 1s submit -n1 --runs 100s
> job 1
> at 1s launch job 1 on n1
The delay is over while the node is busy.
at 2s submit -C f1 -n1 --runs 10s
> job 2
at 90s show jobs
>  1 p      R   1:29 1 n1
>  2 p      PD  0:00 1 (Resources)
at 91s update JobId=2 DelayBoot=3
at 150s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
>  2 p      PD  0:00 1 (Resources)
It is from when it became eligible on.
at 250s show jobs
> at 182s reboot n1
> at 202s launch job 2 on n1
> at 212s job 2 COMPLETED
> at 212s terminate job 2 on n1
A shorter one lets it be rebooted at once, as it has waited so long.
at 300s submit -C f2 -n1 --runs 10s
> job 3
at 301s update JobId=3 DelayBoot=10
at 400s show jobs
>  3 p      PD  0:00 1 (Resources)
at 401s update JobId=3 DelayBoot=1
> at 401s reboot n1
at 450s show jobs
> at 421s launch job 3 on n1
> at 431s job 3 COMPLETED
> at 431s terminate job 3 on n1
