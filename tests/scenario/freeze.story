A freeze that cannot complete: the victim goes on, the preemptor waits and starts nowhere, not even half.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-3] CPUs=2 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s fault cannot-freeze n2
at 1s submit -N2 -c2 --mem 100 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s step 1
at 3s submit -N2 -p high -c2 --mem 100 --runs 20s -w n[1,3]
> job 2
> at 3s freeze job 1 on n1
> at 3s freeze job 1 on n2
at 4s show jobs
>  1 low    S   0:02 2 n[1-2]
>  2 high   CF  0:00 2 n[1,3]
Job 1 stands still on n1, but job 2 must not start before it does so on n2 as well.
at 14s show jobs
> at 13s thaw job 1 on n1
>  1 low    R   0:03 2 n[1-2]
>  2 high   PD  0:00 2 (Resources)
It is asked again after pauses that grow; job 2 waits until that works or job 1 ends.
at 90s show jobs
> at 23s freeze job 1 on n1
> at 23s freeze job 1 on n2
> at 33s thaw job 1 on n1
> at 53s freeze job 1 on n1
> at 53s freeze job 1 on n2
> at 63s thaw job 1 on n1
>  1 low    R   0:59 2 n[1-2]
>  2 high   PD  0:00 2 (Resources)
at 150s show jobs
> at 103s freeze job 1 on n1
> at 103s freeze job 1 on n2
> at 113s thaw job 1 on n1
> at 141s job 1 COMPLETED
> at 141s terminate job 1 on n1
> at 141s terminate job 1 on n2
> at 141.001s launch job 2 on n1
>  2 high   R   0:08 2 n[1,3]
The victim ends while it is being stopped: the other starts when it has let go.
at 200s fault cannot-freeze n1
> at 161.001s job 2 COMPLETED
> at 161.001s terminate job 2 on n1
at 201s submit -w n1 -c2 --mem 100 --runs 5s
> job 3
> at 201s launch job 3 on n1
at 203s submit -p high -w n1 -c2 --mem 100 --runs 5s
> job 4
> at 203s freeze job 3 on n1
at 204s show jobs
>  3 low    S   0:02 1 n1
>  4 high   CF  0:00 1 n1
at 220s show jobs
> at 206s job 3 COMPLETED
> at 206s terminate job 3 on n1
> at 206.001s launch job 4 on n1
> at 211.001s job 4 COMPLETED
> at 211.001s terminate job 4 on n1
The preemptor is cancelled while it waits: the victim is let go.
at 300s repair n1
at 300s delay freeze 5s
at 301s submit -w n1 -c2 --mem 100 --runs 50s
> job 5
> at 301s launch job 5 on n1
at 302s submit -p high -w n1 -c2 --mem 100 --runs 5s
> job 6
> at 302s freeze job 5 on n1
at 303s cancel 6
> at 303s job 6 CANCELLED
> at 303s thaw job 5 on n1
at 304s show jobs
>  5 low    R   0:02 1 n1
at 400s show jobs
> at 351s job 5 COMPLETED
> at 351s terminate job 5 on n1
A stopped job is cancelled while the other runs: it is not thawed for that.
at 400s delay freeze 1ms
at 401s submit -w n1 -c2 --mem 100 --runs 50s
> job 7
> at 401s launch job 7 on n1
at 402s submit -p high -w n1 -c2 --mem 100 --runs 50s
> job 8
> at 402s freeze job 7 on n1
at 410s cancel 7
> at 402.001s launch job 8 on n1
> at 410s job 7 CANCELLED
> at 410s terminate job 7 on n1 at once
at 411s show jobs
>  8 high   R   0:08 1 n1
