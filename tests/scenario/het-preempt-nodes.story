Others are stopped for components, each on nodes of its own: those that may have the fewest come first, whatever their order.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-4] CPUs=4
PartitionName=low Nodes=n[1-4] Default=YES PriorityTier=1
PartitionName=high Nodes=n[1-4] PriorityTier=10
PartitionName=few Nodes=n[1-2] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s submit -N2 -w n[3-4] --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n3
The first component could have the free nodes, which the second one needs.
at 1s submit -N2 -p high --exclusive -t 30m --runs 60s : -N2 -p few --exclusive -t 20m
> job 2, with components up to 3
> at 1s job 1 is requeued
> at 1s terminate job 1 on n3
at 2s show jobs
> at 1.001s launch job 2 on n3
>  1 low    PD  0:00 2 (Resources)
>  2 high   R   0:00 2 n[3-4]
>  3 few    R   0:00 2 n[1-2]
at 100s show jobs
> at 61.001s job 2 COMPLETED
> at 61.001s terminate job 2 on n3
> at 61.001s job 3 COMPLETED
> at 61.002s launch job 1 on n3
>  1 low    R   0:38 2 n[3-4]
