Behind a job of its partition that has to wait, backfill stops others for a job, also for a heterogeneous one.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-4] CPUs=4
NodeName=n5 CPUs=4 Feature=rare
PartitionName=low Nodes=n[1-4] Default=YES PriorityTier=1 PreemptMode=CANCEL GraceTime=10
PartitionName=rare Nodes=n5 PriorityTier=10 PreemptMode=OFF
PartitionName=high Nodes=n[1-5] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 0s submit -N1 -p rare --exclusive -t 1h --runs 1h
> job 1
> at 0s launch job 1 on n5
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 2
> at 0s launch job 2 on n1
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 3
> at 0s launch job 3 on n2
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 4
> at 0s launch job 4 on n3
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 5
> at 0s launch job 5 on n4
at 1s show jobs
>  1 rare   R   0:01 1 n5
>  2 low    R   0:01 1 n1
>  3 low    R   0:01 1 n2
>  4 low    R   0:01 1 n3
>  5 low    R   0:01 1 n4
It waits for n5, and stops no job before that; the next one waits for nodes, and stops a job for them.
at 2s submit -N1 -w n5 -p high --exclusive -t 1h --runs 1h
> job 6
at 3s submit -N1 -p high --exclusive -t 30m --runs 60s
> job 7
> at 3s signal job 2 on n1
> at 3s signal job 2 on n1
at 4s show jobs
>  1 rare   R   0:04 1 n5
>  2 low    R   0:04 1 n1
>  3 low    R   0:04 1 n2
>  4 low    R   0:04 1 n3
>  5 low    R   0:04 1 n4
>  6 high   PD  0:00 1 (Resources)
>  7 high   PD  0:00 1 (Resources)
Those behind it have their turn in backfill: a plain job, then a heterogeneous one.
at 5s submit -N1 -p high --exclusive -t 30m --runs 60s
> job 8
> at 5s signal job 3 on n2
> at 5s signal job 3 on n2
at 6s submit -N1 -p high --exclusive -t 30m --runs 60s : -N1 -p high --exclusive -t 20m
> job 9, with components up to 10
> at 6s signal job 4 on n3
> at 6s signal job 4 on n3
> at 6s signal job 5 on n4
> at 6s signal job 5 on n4
at 7s show jobs
>  1 rare   R   0:07 1 n5
>  2 low    R   0:07 1 n1
>  3 low    R   0:07 1 n2
>  4 low    R   0:07 1 n3
>  5 low    R   0:07 1 n4
>  6 high   PD  0:00 1 (Resources)
>  7 high   PD  0:00 1 (Resources)
>  8 high   PD  0:00 1 (Priority)
>  9 high   PD  0:00 1 (Priority)
> 10 high   PD  0:00 1 (Priority)
at 30s show jobs
> at 13s job 2 PREEMPTED
> at 13s terminate job 2 on n1
> at 13.001s launch job 7 on n1
> at 15s job 3 PREEMPTED
> at 15s terminate job 3 on n2
> at 15.001s launch job 8 on n2
> at 16s job 4 PREEMPTED
> at 16s terminate job 4 on n3
> at 16s job 5 PREEMPTED
> at 16s terminate job 5 on n4
> at 16.001s launch job 9 on n3
>  1 rare   R   0:30 1 n5
>  6 high   PD  0:00 1 (Resources)
>  7 high   R   0:16 1 n1
>  8 high   R   0:14 1 n2
>  9 high   R   0:13 1 n3
> 10 high   R   0:13 1 n4
