An agent did not answer a freeze, so its job is left alone for five minutes: a job that waits for its place has it then, at once.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n1 CPUs=2
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -p high -n2
> job 1
> at 1s launch job 1 on n1
at 2s suspend 1
> at 2s freeze job 1 on n1
at 3s submit -n2
> job 2
> at 3s launch job 2 on n1
at 4s fault never-answers n1
at 5s resume 1
> at 5s freeze job 2 on n1
at 24s show jobs
>  1 high   S   0:01 1 n1
>  2 low    S   0:02 1 n1
at 27s repair n1
> at 25s thaw job 2 on n1
at 50s show jobs
> at 45s thaw job 2 on n1
>  1 high   S   0:01 1 n1
>  2 low    R   0:27 1 n1
at 326s show jobs
> at 325s freeze job 2 on n1
> at 325.001s thaw job 1 on n1
>  1 high   R   0:01 1 n1
>  2 low    S   5:02 1 n1
