An update that the second component refuses leaves the job what it claims: its victims go for it, and no more of them.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-3] CPUs=4
PartitionName=low Nodes=n[1-3] Default=YES PriorityTier=1 GraceTime=20
PartitionName=high Nodes=n[1-3] PriorityTier=10
PartitionName=some Nodes=n[2-3] PriorityTier=10
EnforcePartLimits=ALL
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 2
> at 0s launch job 2 on n2
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 3
> at 0s launch job 3 on n3
at 10s submit -N1 -p high --exclusive -t 30m --runs 60s : -N1 -w n1 -p high --exclusive -t 20m
> job 4, with components up to 5
> at 10s signal job 2 on n2
> at 10s signal job 2 on n2
> at 10s signal job 1 on n1
> at 10s signal job 1 on n1
at 11s update owner HetJobId=4 Partition=some
> refused: Requested node configuration is not available (component 1 refuses the update)
at 12s submit -N1 -p high --exclusive -t 5m --runs 60s
> job 6
> at 12s signal job 3 on n3
> at 12s signal job 3 on n3
at 13s kill
at 14s update owner HetJobId=4 Partition=some
> refused: Requested node configuration is not available (component 1 refuses the update)
at 15s show jobs
>  1 low    R   0:15 1 n1
>  2 low    R   0:15 1 n2
>  3 low    R   0:15 1 n3
>  4 high   PD  0:00 1 (Resources)
>  5 high   PD  0:00 1 (Resources)
>  6 high   PD  0:00 1 (Priority)
at 60s show jobs
> at 30s job 1 PREEMPTED
> at 30s terminate job 1 on n1
> at 30s job 2 PREEMPTED
> at 30s terminate job 2 on n2
> at 30.001s launch job 4 on n2
> at 32s job 3 PREEMPTED
> at 32s terminate job 3 on n3
> at 32.001s launch job 6 on n3
>  4 high   R   0:29 1 n2
>  5 high   R   0:29 1 n1
>  6 high   R   0:27 1 n3
