A job that waits with --delay-boot has a place in the plan when the delay is over: what ends before may run, nothing delays it.
conf
RebootProgram=/sbin/reboot
ResumeTimeout=60
SelectTypeParameters=CR_Core
SchedulerParameters=delay_boot=2
NodeName=n[1-2] CPUs=2 Feature=f1,f2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s helpers "NodeName=n[1-2] Feature=f1,f2 Helper=/bin/true" "MutuallyExclusive=f1,f2" "AllowUserBoot=user"
at 1s submit -C f1 -N2 --exclusive -t 10m --runs 100s
> job 1
at 2s show plan
> 1 at 121s on n[1-2] until 721s
This one would end in time, and starts.
at 3s submit -N1 --exclusive -t 1m --runs 30s
> job 2
> at 3s launch job 2 on n1
This one would not.
at 4s submit -N1 --exclusive -t 5m --runs 30s
> job 3
at 5s show jobs
>  1 p      PD  0:00 2 (Resources)
>  2 p      R   0:02 1 n1
>  3 p      PD  0:00 1 (Resources)
at 100s show jobs
> at 33s job 2 COMPLETED
> at 33s terminate job 2 on n1
>  1 p      PD  0:00 2 (Resources)
>  3 p      PD  0:00 1 (Resources)
at 200s show jobs
> at 121s reboot n[1-2]
> at 141s launch job 1 on n1
>  1 p      R   0:59 2 n[1-2]
>  3 p      PD  0:00 1 (Resources)
at 300s show jobs
> at 241s job 1 COMPLETED
> at 241s terminate job 1 on n1
> at 241s launch job 3 on n2
> at 271s job 3 COMPLETED
> at 271s terminate job 3 on n2
A node that has the feature is waited for instead of a reboot, if it is free before.
at 400s submit -w n1 --exclusive -t 1m --runs 50s
> job 4
> at 400s launch job 4 on n1
at 400s submit -w n2 --exclusive -t 10m --runs 500s
> job 5
> at 400s launch job 5 on n2
at 401s submit -C f1 -N1 --exclusive -t 5m --runs 20s
> job 6
at 402s show plan
> 6 at 460s on n1 until 760s
at 500s show jobs
> at 450s job 4 COMPLETED
> at 450s terminate job 4 on n1
> at 450.001s launch job 6 on n1
> at 470.001s job 6 COMPLETED
> at 470.001s terminate job 6 on n1
>  5 p      R   1:40 1 n2
