S18: the victim has two nodes and the preemptor needs one: both are kept until the victim is gone, from jobs behind it.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
NodeName=n[1-2] CPUs=1
PartitionName=DEFAULT Nodes=n[1-2] MaxTime=100
PartitionName=low Default=YES PriorityTier=1 GraceTime=60
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 3000s submit -N2 --runs 1000s
> job 1
> at 3000s launch job 1 on n1
at 3010s submit -p high --runs 100s
> job 2
> at 3010s signal job 1 on n1
> at 3010s signal job 1 on n1
at 3011s submit -p high --runs 10s
> job 3
at 3011s submit --runs 10s
> job 4
at 3012s show jobs
>  1 low    R   0:12 2 n[1-2]
>  2 high   PD  0:00 1 (Resources)
>  3 high   PD  0:00 1 (Priority)
>  4 low    PD  0:00 1 (Resources)
at 3075s show jobs
> at 3070s job 1 PREEMPTED
> at 3070s terminate job 1 on n1
> at 3070s launch job 2 on n2
> at 3070.001s launch job 3 on n1
>  2 high   R   0:05 1 n2
>  3 high   R   0:04 1 n1
>  4 low    PD  0:00 1 (Resources)
at 3100s show jobs
> at 3080.001s job 3 COMPLETED
> at 3080.001s terminate job 3 on n1
> at 3080.002s launch job 4 on n1
> at 3090.002s job 4 COMPLETED
> at 3090.002s terminate job 4 on n1
>  2 high   R   0:30 1 n2
