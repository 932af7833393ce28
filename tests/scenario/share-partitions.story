Without time slices and preemption jobs of several partitions with OverSubscribe=FORCE share nodes, each partition as many as it says.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
NodeName=n1 CPUs=4
PartitionName=a Nodes=n1 Default=YES MaxTime=INFINITE OverSubscribe=FORCE:2
PartitionName=b Nodes=n1 MaxTime=INFINITE OverSubscribe=FORCE:2 PriorityTier=5
PartitionName=no Nodes=n1 MaxTime=INFINITE
PartitionName=one Nodes=n1 MaxTime=INFINITE OverSubscribe=FORCE:1
end
at 0s submit -n4 -t 600s --runs 100s
> at 0s n1 registers
> job 1
> at 0s launch job 1 on n1
at 0s submit -p b -n4 -t 600s --runs 100s
> job 2
> at 0s launch job 2 on n1
at 0s submit -n4 -t 600s --runs 100s
> job 3
> at 0s launch job 3 on n1
at 0s submit -n1 -t 600s --runs 100s
> job 4
at 0s submit -p no -n1 -t 600s --runs 100s
> job 5
at 0s submit -p one -n1 -t 600s --runs 100s
> job 6
at 0s submit -p b -n4 -t 600s --runs 100s
> job 7
> at 0s launch job 7 on n1
at 1s show jobs
>  1 a      R   0:01 1 n1
>  2 b      R   0:01 1 n1
>  3 a      R   0:01 1 n1
>  4 a      PD  0:00 1 (Resources)
>  5 no     PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  6 one    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  7 b      R   0:01 1 n1
