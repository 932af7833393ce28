--delay-boot: no node is rebooted for a job's features before it has waited so long; one that has them is taken at once.
conf
RebootProgram=/sbin/reboot
ResumeTimeout=60
SelectTypeParameters=CR_Core
SchedulerParameters=delay_boot=1
NodeName=n[1-2] CPUs=2 Feature=f1,f2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s helpers "NodeName=n[1-2] Feature=f1,f2 Helper=/bin/true" "MutuallyExclusive=f1,f2" "AllowUserBoot=user"
at 1s submit -C f1 -n1 --runs 500s
> job 1
at 50s show jobs
>  1 p      PD  0:00 1 (Resources)
at 100s show jobs
> at 61s reboot n1
> at 81s launch job 1 on n1
>  1 p      R   0:19 1 n1
It has the feature now.
at 101s submit -C f1 -n1 --runs 10s
> job 2
> at 101s launch job 2 on n1
A delay of its own.
at 102s submit -C f2 -n1 --runs 10s
> job 3
at 103s update JobId=3 DelayBoot=2
at 163s show jobs
> at 111s job 2 COMPLETED
> at 111s terminate job 2 on n1
>  1 p      R   1:22 1 n1
>  3 p      PD  0:00 1 (Resources)
at 250s show jobs
> at 222s reboot n2
> at 242s launch job 3 on n2
>  1 p      R   2:49 1 n1
>  3 p      R   0:08 1 n2
