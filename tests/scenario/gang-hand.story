scontrol suspend takes a job out of its gang until scontrol resume (S16); a resumed job waits for its turn.  Where tiers
meet the higher one casts its shadow, and slices go on below it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
SchedulerTimeSlice=30
NodeName=n1 CPUs=2
PartitionName=DEFAULT Nodes=n1
PartitionName=low OverSubscribe=FORCE:3 PriorityTier=1 Default=YES
PartitionName=high OverSubscribe=FORCE:1 PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n2
> job 1
> at 1s launch job 1 on n1
at 2s submit -n2
> job 2
at 3s submit -n2
> job 3
at 10s suspend 1
> at 10s freeze job 1 on n1
at 11s show jobs
> at 10.001s launch job 2 on n1
>  1 low    S   0:09 1 n1
>  2 low    R   0:00 1 n1
>  3 low    S   0:00 1 n1
at 11s show job 1
> job 1 SUSPENDED Reason=None Priority=0 Restarts=0 RunTime=00:00:09 Nodes=n1 CPUs=2 Exit=0:0
at 45s show jobs
>  1 low    S   0:09 1 n1
>  2 low    R   0:34 1 n1
>  3 low    S   0:00 1 n1
at 75s show jobs
> at 62s freeze job 2 on n1
> at 62.001s launch job 3 on n1
>  1 low    S   0:09 1 n1
>  2 low    S   0:51 1 n1
>  3 low    R   0:12 1 n1
at 106s show jobs
> at 92s freeze job 3 on n1
> at 92.001s thaw job 2 on n1
>  1 low    S   0:09 1 n1
>  2 low    R   1:05 1 n1
>  3 low    S   0:29 1 n1
at 107s resume 1
at 108s show jobs
>  1 low    S   0:09 1 n1
>  2 low    R   1:07 1 n1
>  3 low    S   0:29 1 n1
at 200s show jobs
> at 122s freeze job 2 on n1
> at 122.001s thaw job 3 on n1
> at 152s freeze job 3 on n1
> at 152.001s thaw job 1 on n1
> at 182s freeze job 1 on n1
> at 182.001s thaw job 2 on n1
>  1 low    S   0:38 1 n1
>  2 low    R   1:39 1 n1
>  3 low    S   0:59 1 n1
The shadow: all of them wait while a job of the higher tier runs, and then it is the turn of the one that had it.
at 201s submit -p high -n2 --runs 100s
> job 4
> at 201s freeze job 2 on n1
at 202s show jobs
> at 201.001s launch job 4 on n1
>  1 low    S   0:38 1 n1
>  2 low    S   1:40 1 n1
>  3 low    S   0:59 1 n1
>  4 high   R   0:00 1 n1
at 280s show jobs
>  1 low    S   0:38 1 n1
>  2 low    S   1:40 1 n1
>  3 low    S   0:59 1 n1
>  4 high   R   1:18 1 n1
at 310s show jobs
> at 301.001s job 4 COMPLETED
> at 301.001s terminate job 4 on n1
> at 301.002s thaw job 2 on n1
>  1 low    S   0:38 1 n1
>  2 low    R   1:49 1 n1
>  3 low    S   0:59 1 n1
Suspended by hand the higher one has no shadow; resumed it has, at once.
at 311s submit -p high -n2 --runs 50s
> job 5
> at 311s freeze job 2 on n1
at 312s suspend 5
> at 311.001s launch job 5 on n1
> at 312s freeze job 5 on n1
at 313s show jobs
> at 312.001s thaw job 2 on n1
>  1 low    S   0:38 1 n1
>  2 low    R   1:51 1 n1
>  3 low    S   0:59 1 n1
>  5 high   S   0:00 1 n1
at 314s resume 5
> at 314s freeze job 2 on n1
at 315s show jobs
> at 314.001s thaw job 5 on n1
>  1 low    S   0:38 1 n1
>  2 low    S   1:52 1 n1
>  3 low    S   0:59 1 n1
>  5 high   R   0:01 1 n1
at 380s show jobs
> at 363.002s job 5 COMPLETED
> at 363.002s terminate job 5 on n1
> at 363.003s thaw job 2 on n1
>  1 low    S   0:38 1 n1
>  2 low    R   2:09 1 n1
>  3 low    S   0:59 1 n1
A second stop of a waiting job holds it; one that goes on by itself is not resumed.
at 381s suspend 1
at 381s resume 2
> refused: Job is not suspended
at 382s show jobs
>  1 low    S   0:38 1 n1
>  2 low    R   2:11 1 n1
>  3 low    S   0:59 1 n1
at 400s cancel 1
> at 400s job 1 CANCELLED
> at 400s terminate job 1 on n1 at once
at 400s cancel 2
> at 400s job 2 CANCELLED
> at 400s terminate job 2 on n1
at 400s cancel 3
> at 400s job 3 CANCELLED
> at 400s terminate job 3 on n1 at once
