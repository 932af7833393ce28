S13: a license that a job of a lower tier holds.  Without reclaim_licenses it is waited for.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
Licenses=lic:1
NodeName=n[1-2] CPUs=1
PartitionName=DEFAULT Nodes=n[1-2]
PartitionName=low Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 2000s submit -L lic:1 --runs 1000s
> job 1
> at 2000s launch job 1 on n1
at 2001s submit -p high -L lic:1 --runs 10s
> job 2
at 2002s show jobs
>  1 low    R   0:02 1 n1
>  2 high   PD  0:00 1 (Licenses)
at 2003s cancel 2
> at 2003s job 2 CANCELLED
With it the other is cancelled.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
PreemptParameters=reclaim_licenses
Licenses=lic:1
NodeName=n[1-2] CPUs=1
PartitionName=DEFAULT Nodes=n[1-2]
PartitionName=low Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
end
at 2010s submit -p high -L lic:1 --runs 10s
> job 3
> at 2010s job 1 PREEMPTED
> at 2010s terminate job 1 on n1
at 2012s show jobs
> at 2010.001s launch job 3 on n1
>  3 high   R   0:01 1 n1
Suspended it would keep it, so none is.
conf
SelectType=select/linear
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
PreemptParameters=reclaim_licenses
Licenses=lic:1
NodeName=n[1-2] CPUs=1
PartitionName=DEFAULT Nodes=n[1-2] OverSubscribe=FORCE:1
PartitionName=low Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
end
at 2100s submit -L lic:1 --runs 50s
> at 2020.001s job 3 COMPLETED
> at 2020.001s terminate job 3 on n1
> job 4
> at 2100s launch job 4 on n1
at 2101s submit -p high -L lic:1 --runs 10s
> job 5
at 2102s show jobs
>  4 low    R   0:02 1 n1
>  5 high   PD  0:00 1 (Licenses)
at 2200s show jobs
> at 2150s job 4 COMPLETED
> at 2150s terminate job 4 on n1
> at 2150.001s launch job 5 on n1
> at 2160.001s job 5 COMPLETED
> at 2160.001s terminate job 5 on n1
