Components that have stopped jobs wait for these, and stop no other, whichever of them chooses first.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-5] CPUs=4
PartitionName=low Nodes=n[1-5] Default=YES PriorityTier=1 GraceTime=60
PartitionName=few Nodes=n[1-2] PriorityTier=10
PartitionName=big Nodes=n[1,3-5] PriorityTier=10
PartitionName=top Nodes=n[1-5] PriorityTier=20
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 0s submit -N2 -w n[4-5] -p top --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n4
at 0s submit -N1 -w n3 -p low --exclusive -t 2h --runs 1h
> job 2
> at 0s launch job 2 on n3
at 100s submit -N1 -w n1 -p low --exclusive -t 2h --runs 1h
> job 3
> at 100s launch job 3 on n1
at 200s submit -N1 -w n2 -p low --exclusive -t 2h --runs 1h
> job 4
> at 200s launch job 4 on n2
at 300s submit -N1 -p big --exclusive -t 30m --runs 60s : -N1 -p few --exclusive -t 20m
> job 5, with components up to 6
> at 300s signal job 3 on n1
> at 300s signal job 3 on n1
> at 300s signal job 4 on n2
> at 300s signal job 4 on n2
at 302s show jobs
>  1 top    R   5:02 2 n[4-5]
>  2 low    R   5:02 1 n3
>  3 low    R   3:22 1 n1
>  4 low    R   1:42 1 n2
>  5 big    PD  0:00 1 (Resources)
>  6 few    PD  0:00 1 (Resources)
at 310s submit -N1 -p low -t 1m --runs 10s
> job 7
at 320s submit -N5 -p top --exclusive -t 1m --runs 10s
> job 8
at 330s show jobs
>  1 top    R   5:30 2 n[4-5]
>  2 low    R   5:30 1 n3
>  3 low    R   3:50 1 n1
>  4 low    R   2:10 1 n2
>  5 big    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  6 few    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  7 low    PD  0:00 1 (Resources)
>  8 top    PD  0:00 5 (Resources)
at 400s show jobs
> at 360s job 3 PREEMPTED
> at 360s terminate job 3 on n1
> at 360s job 4 PREEMPTED
> at 360s terminate job 4 on n2
> at 360.001s launch job 5 on n1
>  1 top    R   6:40 2 n[4-5]
>  2 low    R   6:40 1 n3
>  5 big    R   0:39 1 n1
>  6 few    R   0:39 1 n2
>  7 low    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  8 top    PD  0:00 5 (Resources)
