A component leaves its partition while victims of its job are going: the leader claims nothing any more, nor after a restart.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-2] CPUs=4
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1 GraceTime=600
PartitionName=high Nodes=n[1-2] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s submit -N1 -w n1 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 20s submit -N1 -w n2 -p high --exclusive -t 30m --runs 60s : -N1 -w n1 -p high --exclusive -t 20m
> job 2, with components up to 3
> at 20s signal job 1 on n1
> at 20s signal job 1 on n1
at 24s update JobId=3 Partition=low
at 25s show jobs
>  1 low    R   0:25 1 n1
>  2 high   PD  0:00 1 (Resources)
>  3 low    PD  0:00 1 (Resources)
at 30s kill
at 40s submit -N1 -w n2 -p low --exclusive -t 5m --runs 60s
> job 4
> at 40s launch job 4 on n2
at 45s show jobs
>  1 low    R   0:45 1 n1
>  2 high   PD  0:00 1 (Resources)
>  3 low    PD  0:00 1 (Resources)
>  4 low    R   0:05 1 n2
at 200s show jobs
> at 100s job 4 COMPLETED
> at 100s terminate job 4 on n2
>  1 low    R   3:20 1 n1
>  2 high   PD  0:00 1 (Resources)
>  3 low    PD  0:00 1 (Resources)
at 700s show jobs
> at 620s job 1 is requeued
> at 620s terminate job 1 on n1
> at 620.001s launch job 2 on n2
> at 680.001s job 2 COMPLETED
> at 680.001s terminate job 2 on n2
> at 680.001s job 3 COMPLETED
> at 680.001s launch job 1 on n1
>  1 low    R   0:19 1 n1
