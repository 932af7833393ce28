A job that waits for memory of a frozen one is cancelled: while its epilog runs none is asked for it.
conf
yaml reclaim_suspended: low
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
Epilog=/epilog
NodeName=n1 CPUs=4 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
at 0s delay epilog 60s
at 1s submit -c2 --mem 700 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -c1 --mem 200 --runs 5s
> job 2
> at 2s launch job 2 on n1
at 60s submit -p high -c2 --mem 600 --runs 20s
> at 7s job 2 COMPLETED
> at 7s terminate job 2 on n1
> job 3
> at 60s freeze job 1 on n1
at 61s cancel 3
> at 60.001s reclaim job 1 on n1
> at 61s job 3 CANCELLED
> at 61s terminate job 3 on n1
at 61s show parts
>  job 1 has 2 CPUs, 700 MB of n1
>  job 2 has 1 CPUs, 200 MB of n1
>  job 3 has 2 CPUs, 100 MB of n1, waits for more
What becomes free meanwhile is not its either.
at 100s show parts
>  job 1 has 2 CPUs, 700 MB of n1
>  job 3 has 2 CPUs, 100 MB of n1, waits for more
at 300s show jobs
> at 121.001s thaw job 1 on n1
> at 162.001s job 1 COMPLETED
> at 162.001s terminate job 1 on n1
