A claim is kept from jobs that a component would stop, of heterogeneous ones only if it could stop all components: the second one starts at once.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-3] CPUs=4
PartitionName=low Nodes=n[1-3] Default=YES PriorityTier=1 GraceTime=600
PartitionName=mid Nodes=n[1-3] PriorityTier=5
PartitionName=high Nodes=n[1-3] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit -N1 -w n1 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 20s submit -N1 -w n2 -p low --exclusive -t 30m --runs 60s : -N1 -w n1 -p high --exclusive -t 20m
> job 2, with components up to 3
> at 20s signal job 1 on n1
> at 20s signal job 1 on n1
at 23s submit -N1 -w n2 -p mid --exclusive -t 5m --runs 60s : -N1 -w n3 -p high --exclusive -t 5m
> job 4, with components up to 5
> at 23s launch job 4 on n2
at 24s show jobs
>  1 low    R   0:24 1 n1
>  2 low    PD  0:00 1 (Resources)
>  3 high   PD  0:00 1 (Resources)
>  4 mid    R   0:01 1 n2
>  5 high   R   0:01 1 n3
at 610s show jobs
> at 83s job 4 COMPLETED
> at 83s terminate job 4 on n2
> at 83s job 5 COMPLETED
>  1 low    R  10:10 1 n1
>  2 low    PD  0:00 1 (Resources)
>  3 high   PD  0:00 1 (Resources)
at 700s show jobs
> at 620s job 1 PREEMPTED
> at 620s terminate job 1 on n1
> at 620.001s launch job 2 on n2
> at 680.001s job 2 COMPLETED
> at 680.001s terminate job 2 on n2
> at 680.001s job 3 COMPLETED
