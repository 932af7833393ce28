A job that waits for its time slice and for memory of a job that cannot be stopped gives its nodes back: that job goes on with all that it has.
conf
yaml reclaim_suspended: low
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
SchedulerTimeSlice=60
NodeName=n[1-3] CPUs=2 RealMemory=1000
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES OverSubscribe=FORCE:1
PartitionName=high PriorityTier=2 OverSubscribe=FORCE:2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -w n[1-2] -N2 -c2 --mem 800 --runs 200s
> job 1
> at 1s launch job 1 on n1
at 2s step 1
at 3s submit -w n3 -p high -c2 --mem 100 --runs 300s
> job 2
> at 3s launch job 2 on n3
at 4s fault never-answers n2
at 5s submit -w n[1,3] -N2 -p high -c2 --mem 600 --runs 10s
> job 3
> at 5s freeze job 1 on n1
> at 5s freeze job 1 on n2
at 6s show jobs
>  1 low    S   0:04 2 n[1-2]
>  2 high   R   0:03 1 n3
>  3 high   S   0:00 2 n[1,3]
at 7s show parts
>  job 1 has 2 CPUs, 800 MB of n1
>  job 1 has 2 CPUs, 800 MB of n2
>  job 2 has 2 CPUs, 100 MB of n3
>  job 3 has 2 CPUs, 200 MB of n1, waits for more
>  job 3 has 2 CPUs, 600 MB of n3
at 30s show jobs
> at 25s thaw job 1 on n1
> at 25s thaw job 1 on n2
>  1 low    R   0:09 2 n[1-2]
>  2 high   R   0:27 1 n3
>  3 high   PD  0:00 2 (Resources)
at 100s show parts
> at 45s thaw job 1 on n2
> at 67s thaw job 1 on n2
> at 91s thaw job 1 on n2
>  job 1 has 2 CPUs, 800 MB of n1
>  job 1 has 2 CPUs, 800 MB of n2
>  job 2 has 2 CPUs, 100 MB of n3
at 500s show jobs
> at 119s thaw job 1 on n2
> at 155s thaw job 1 on n2
> at 207s thaw job 1 on n2
> at 221s job 1 COMPLETED
> at 221s terminate job 1 on n1
> at 221s terminate job 1 on n2
> at 281.001s freeze job 2 on n3
> at 281.002s launch job 3 on n1
> at 291.002s job 3 COMPLETED
> at 291.002s terminate job 3 on n1
> at 291.002s thaw job 2 on n3
> at 313.001s job 2 COMPLETED
> at 313.001s terminate job 2 on n3
> at 321s terminate job 1 on n2
