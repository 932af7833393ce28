S19: a suspended job keeps its memory, so a job that has no room beside it does not start; with room it does.

conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n1 CPUs=2 RealMemory=1000
PartitionName=DEFAULT Nodes=n1 OverSubscribe=FORCE:1
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end

at 0s hush agents
> at 0s n1 registers

at 1s submit -n2 --mem 1000
> job 1
> at 1s launch job 1 on n1

at 2s submit -p high -n2 --mem 1
> job 2

at 3s show jobs
>  1 low    R   0:02 1 n1
>  2 high   PD  0:00 1 (Resources)

at 10s cancel 1
> at 10s job 1 CANCELLED
> at 10s terminate job 1 on n1

at 11s cancel 2
> at 10.001s launch job 2 on n1
> at 11s job 2 CANCELLED
> at 11s terminate job 2 on n1

All of the memory is asked for where it is not said how much.
at 20s submit -n2
> job 3
> at 20s launch job 3 on n1

at 21s submit -p high -n2
> job 4

at 22s show jobs
>  3 low    R   0:02 1 n1
>  4 high   PD  0:00 1 (Resources)

at 30s cancel 3
> at 30s job 3 CANCELLED
> at 30s terminate job 3 on n1

at 31s cancel 4
> at 30.001s launch job 4 on n1
> at 31s job 4 CANCELLED
> at 31s terminate job 4 on n1

at 40s submit -n2 --mem 600
> job 5
> at 40s launch job 5 on n1

at 41s submit -p high -n2 --mem 401
> job 6

at 42s show jobs
>  5 low    R   0:02 1 n1
>  6 high   PD  0:00 1 (Resources)

at 43s cancel 6
> at 43s job 6 CANCELLED

at 43s submit -p high -n2 --mem 400 --runs 10s
> job 7
> at 43s freeze job 5 on n1

at 44s show jobs
> at 43.001s launch job 7 on n1
>  5 low    S   0:03 1 n1
>  7 high   R   0:00 1 n1

at 60s show jobs
> at 53.001s job 7 COMPLETED
> at 53.001s terminate job 7 on n1
> at 53.002s thaw job 5 on n1
>  5 low    R   0:09 1 n1
