Two components may have two nodes each, one of them both: the first one finds no place behind the second only, and stops a job.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-3] CPUs=4
PartitionName=low Nodes=n[1-3] Default=YES PriorityTier=1
PartitionName=a Nodes=n[1-2] PriorityTier=10
PartitionName=b Nodes=n[2-3] PriorityTier=10
PartitionName=top Nodes=n[1-3] PriorityTier=20
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit -N1 -w n1 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 0s submit -N1 -w n3 -p top --exclusive -t 2h --runs 1h
> job 2
> at 0s launch job 2 on n3
at 1s submit -N1 -p a --exclusive -t 30m --runs 60s : -N1 -p b --exclusive -t 20m
> job 3, with components up to 4
> at 1s job 1 is requeued
> at 1s terminate job 1 on n1
at 2s show jobs
> at 1.001s launch job 3 on n1
>  1 low    PD  0:00 1 (Resources)
>  2 top    R   0:02 1 n3
>  3 a      R   0:00 1 n1
>  4 b      R   0:00 1 n2
at 4000s show jobs
> at 61.001s job 3 COMPLETED
> at 61.001s terminate job 3 on n1
> at 61.001s job 4 COMPLETED
> at 61.002s launch job 1 on n1
> at 3600s job 2 COMPLETED
> at 3600s terminate job 2 on n3
> at 3661.002s job 1 COMPLETED
> at 3661.002s terminate job 1 on n1
