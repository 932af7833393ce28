CR_CPU, time slices and tiers: a job of a higher tier leaves those below only as many CPUs as there are, wherever it was placed.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
SchedulerTimeSlice=30
NodeName=n1 CPUs=8
PartitionName=DEFAULT Nodes=n1
PartitionName=low OverSubscribe=FORCE:2 PriorityTier=1 Default=YES
PartitionName=high OverSubscribe=FORCE:1 PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n2
> job 1
> at 1s launch job 1 on n1
at 2s submit -n2
> job 2
> at 2s launch job 2 on n1
at 3s submit -n2
> job 3
> at 3s launch job 3 on n1
at 4s submit -n2
> job 4
> at 4s launch job 4 on n1
at 5s submit -n2
> job 5
at 6s submit -n2
> job 6
at 10s show jobs
>  1 low    R   0:09 1 n1
>  2 low    R   0:08 1 n1
>  3 low    R   0:07 1 n1
>  4 low    R   0:06 1 n1
>  5 low    S   0:00 1 n1
>  6 low    S   0:00 1 n1
at 40s show jobs
> at 35s freeze job 3 on n1
> at 35s freeze job 4 on n1
> at 35.001s launch job 5 on n1
> at 35.001s launch job 6 on n1
>  1 low    R   0:39 1 n1
>  2 low    R   0:38 1 n1
>  3 low    S   0:32 1 n1
>  4 low    S   0:31 1 n1
>  5 low    R   0:04 1 n1
>  6 low    R   0:04 1 n1
at 41s submit -p high -n4 --runs 100s
> job 7
> at 41s freeze job 6 on n1
> at 41s freeze job 5 on n1
at 42s show jobs
> at 41.001s launch job 7 on n1
>  1 low    R   0:41 1 n1
>  2 low    R   0:40 1 n1
>  3 low    S   0:32 1 n1
>  4 low    S   0:31 1 n1
>  5 low    S   0:05 1 n1
>  6 low    S   0:05 1 n1
>  7 high   R   0:00 1 n1
at 80s show jobs
> at 65s freeze job 1 on n1
> at 65s freeze job 2 on n1
> at 65.001s thaw job 5 on n1
> at 65.001s thaw job 6 on n1
>  1 low    S   1:04 1 n1
>  2 low    S   1:03 1 n1
>  3 low    S   0:32 1 n1
>  4 low    S   0:31 1 n1
>  5 low    R   0:20 1 n1
>  6 low    R   0:20 1 n1
>  7 high   R   0:38 1 n1
at 110s show jobs
> at 95s freeze job 5 on n1
> at 95s freeze job 6 on n1
> at 95.001s thaw job 3 on n1
> at 95.001s thaw job 4 on n1
>  1 low    S   1:04 1 n1
>  2 low    S   1:03 1 n1
>  3 low    R   0:46 1 n1
>  4 low    R   0:45 1 n1
>  5 low    S   0:35 1 n1
>  6 low    S   0:35 1 n1
>  7 high   R   1:08 1 n1
at 150s show jobs
> at 125s freeze job 3 on n1
> at 125s freeze job 4 on n1
> at 125.001s thaw job 1 on n1
> at 125.001s thaw job 2 on n1
> at 141.001s job 7 COMPLETED
> at 141.001s terminate job 7 on n1
> at 141.002s thaw job 5 on n1
> at 141.002s thaw job 6 on n1
>  1 low    R   1:28 1 n1
>  2 low    R   1:27 1 n1
>  3 low    S   1:01 1 n1
>  4 low    S   1:00 1 n1
>  5 low    R   0:44 1 n1
>  6 low    R   0:44 1 n1
Suspended by hand, one takes no turns and no room; cancelled while it stands still it is killed as it is, as others have the CPUs.
at 151s suspend 3
at 200s show jobs
> at 155s freeze job 2 on n1
> at 155.001s thaw job 4 on n1
> at 185s freeze job 1 on n1
> at 185.001s thaw job 2 on n1
>  1 low    S   2:03 1 n1
>  2 low    R   1:47 1 n1
>  3 low    S   1:01 1 n1
>  4 low    R   1:45 1 n1
>  5 low    R   1:34 1 n1
>  6 low    R   1:34 1 n1
at 201s cancel 3
> at 201s job 3 CANCELLED
> at 201s terminate job 3 on n1 at once
at 202s resume 1
at 203s show jobs
>  1 low    S   2:03 1 n1
>  2 low    R   1:50 1 n1
>  4 low    R   1:48 1 n1
>  5 low    R   1:37 1 n1
>  6 low    R   1:37 1 n1
A job cannot be frozen, or its agent does not answer.
at 230s fault never-answers n1
> at 215s freeze job 4 on n1
> at 215.001s thaw job 1 on n1
at 290s show jobs
> at 245s freeze job 6 on n1
> at 265s thaw job 6 on n1
> at 275s freeze job 5 on n1
> at 285s thaw job 6 on n1
>  1 low    R   3:18 1 n1
>  2 low    R   3:17 1 n1
>  4 low    S   2:00 1 n1
>  5 low    S   2:49 1 n1
>  6 low    R   2:44 1 n1
at 291s repair n1
at 400s show jobs
> at 295s thaw job 5 on n1
> at 305s freeze job 2 on n1
> at 305.001s thaw job 4 on n1
> at 307s thaw job 6 on n1
> at 335s freeze job 1 on n1
> at 335.001s thaw job 2 on n1
> at 365s freeze job 4 on n1
> at 365.001s thaw job 1 on n1
> at 395s freeze job 2 on n1
> at 395.001s thaw job 4 on n1
>  1 low    R   4:38 1 n1
>  2 low    S   4:32 1 n1
>  4 low    R   3:05 1 n1
>  5 low    R   4:34 1 n1
>  6 low    R   4:34 1 n1
