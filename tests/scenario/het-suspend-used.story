The components stand still, or none; but where others run on the nodes of one, the one that cannot be frozen is asked again.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-2] CPUs=2
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s fault cannot-freeze n1
at 1s submit -N1 -w n1 -c2 --runs 300s : -N1 -w n2 -c2
> job 1, with components up to 2
> at 1s launch job 1 on n1
at 5s suspend 1
> at 5s freeze job 1 on n1
at 5s suspend 2
at 6s submit -N1 -w n2 -c2 -p high --runs 30s
> job 3
> at 6s launch job 3 on n2
at 30s show jobs
> at 16s freeze job 1 on n1
> at 28s freeze job 1 on n1
>  1 low    S   0:04 1 n1
>  2 low    S   0:04 1 n2
>  3 high   R   0:24 1 n2
at 120s show jobs
> at 36s job 3 COMPLETED
> at 36s terminate job 3 on n2
>  1 low    R   1:26 1 n1
>  2 low    R   1:26 1 n2
