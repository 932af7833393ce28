As het-preempt-fewest, with victims that are suspended: all together do without one of them.
conf
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
NodeName=n[1-6] CPUs=4
PartitionName=DEFAULT Nodes=n[1-6] OverSubscribe=FORCE:1
PartitionName=p Default=YES
PartitionName=high PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 1s submit -N2 -w n[1-2] -n8 -t 1h --runs 1h
> job 1
> at 1s launch job 1 on n1
at 1s submit -N3 -w n[3-5] -n12 -t 1h --runs 1h
> job 2
> at 1s launch job 2 on n3
at 2s submit -p high -N2 -n8 -t 1h --runs 10s : -p high -N2 -n8 -t 1h --runs 10s
> job 3, with components up to 4
> at 2s freeze job 2 on n3
at 3s show jobs
> at 2.001s launch job 3 on n3
>  1 p      R   0:02 2 n[1-2]
>  2 p      S   0:01 3 n[3-5]
>  3 high   R   0:00 2 n[3,6]
>  4 high   R   0:00 2 n[4-5]
at 20s show jobs
> at 12.001s job 3 COMPLETED
> at 12.001s terminate job 3 on n3
> at 12.001s job 4 COMPLETED
> at 12.002s thaw job 2 on n3
>  1 p      R   0:19 2 n[1-2]
>  2 p      R   0:08 3 n[3-5]
