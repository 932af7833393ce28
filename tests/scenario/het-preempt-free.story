A component that may stop no job takes the free node that the other one needs, which finds no place then: it has another.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-3] CPUs=4
PartitionName=low Nodes=n[1-3] Default=YES PriorityTier=1
PartitionName=few Nodes=n[1,3] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit -N1 -w n3 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n3
at 1s submit -N2 -p few --exclusive -t 30m --runs 60s : -N1 -p low --exclusive -t 20m
> job 2, with components up to 3
> at 1s job 1 is requeued
> at 1s terminate job 1 on n3
at 2s show jobs
> at 1.001s launch job 2 on n1
>  1 low    PD  0:00 1 (Resources)
>  2 few    R   0:00 2 n[1,3]
>  3 low    R   0:00 1 n2
at 4000s show jobs
> at 61.001s job 2 COMPLETED
> at 61.001s terminate job 2 on n1
> at 61.001s job 3 COMPLETED
> at 61.001s launch job 1 on n3
> at 3661.001s job 1 COMPLETED
> at 3661.001s terminate job 1 on n3
