A job that was to have the next turn and cannot, as another is not to be stopped for it, is not in the way of others either.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-3] CPUs=2
PartitionName=DEFAULT Nodes=ALL
PartitionName=low OverSubscribe=FORCE:3 PriorityTier=1 Default=YES
PartitionName=high OverSubscribe=FORCE:1 PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -w n1 -n2
> job 1
> at 1s launch job 1 on n1
at 2s submit -w n2 -n2
> job 2
> at 2s launch job 2 on n2
at 3s submit -w n1,n3 -N2 -n4
> job 3
at 4s submit -w n[1-2] -N2 -n4
> job 4
at 5s submit -p high -w n3 -n2 --runs 40s
> job 5
> at 5s launch job 5 on n3
at 6s fault never-answers n2
at 40s show jobs
> at 33s freeze job 1 on n1
> at 33s freeze job 2 on n2
>  1 low    S   0:32 1 n1
>  2 low    S   0:31 1 n2
>  3 low    S   0:00 2 n[1,3]
>  4 low    S   0:00 2 n[1-2]
>  5 high   R   0:35 1 n3
Job 2 cannot be stopped, so job 4 gives way to job 3, which job 5 had kept from its turn.
at 54s show jobs
> at 45s job 5 COMPLETED
> at 45s terminate job 5 on n3
> at 53s thaw job 2 on n2
> at 53s launch job 3 on n1
>  1 low    S   0:32 1 n1
>  2 low    R   0:32 1 n2
>  3 low    R   0:01 2 n[1,3]
>  4 low    S   0:00 2 n[1-2]
