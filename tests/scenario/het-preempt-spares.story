What a victim of one component leaves is there for the others too: no other job is stopped for it, whichever component chooses first.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
NodeName=n[1-7] CPUs=4
PartitionName=low Nodes=n[1-5] Default=YES PriorityTier=1
PartitionName=high Nodes=n[1-4] PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
at 0s submit -N3 -w n[1-3] -t 1h
> job 1
> at 0s launch job 1 on n1
at 0s submit -N1 -w n4 -t 1h
> job 2
> at 0s launch job 2 on n4
at 0s submit -N1 -w n5 -t 1h
> job 3
> at 0s launch job 3 on n5
at 1s estimate -p high -N2 -t 5m : -p high -N1 -t 5m
> in 00:00:00 on n[1-3], 12 CPUs, with victims
at 1s submit -p high -N2 -t 5m --runs 10s : -p high -N1 -t 5m
> job 4, with components up to 5
> at 1s job 1 PREEMPTED
> at 1s terminate job 1 on n1
at 5s show jobs
> at 1.001s launch job 4 on n1
>  2 low    R   0:05 1 n4
>  3 low    R   0:05 1 n5
>  4 high   R   0:03 2 n[1-2]
>  5 high   R   0:03 1 n3
The one with few nodes chooses first, and needs none of its own.
at 20s submit -N3 -w n[1-3] -t 1h
> at 11.001s job 4 COMPLETED
> at 11.001s terminate job 4 on n1
> at 11.001s job 5 COMPLETED
> job 6
> at 20s launch job 6 on n1
at 21s submit -p high -N1 -t 5m --runs 10s : -p high -N2 -t 5m
> job 7, with components up to 8
> at 21s job 6 PREEMPTED
> at 21s terminate job 6 on n1
at 25s show jobs
> at 21.001s launch job 7 on n1
>  2 low    R   0:25 1 n4
>  3 low    R   0:25 1 n5
>  7 high   R   0:03 1 n1
>  8 high   R   0:03 2 n[2-3]
One that may stop no job has what the other's victim leaves.
at 40s submit -N3 -w n[1-3] -t 1h
> at 31.001s job 7 COMPLETED
> at 31.001s terminate job 7 on n1
> at 31.001s job 8 COMPLETED
> job 9
> at 40s launch job 9 on n1
at 41s submit -p high -N2 -t 5m --runs 10s : -p low -N1 -t 5m
> job 10, with components up to 11
> at 41s job 9 PREEMPTED
> at 41s terminate job 9 on n1
at 45s show jobs
> at 41.001s launch job 10 on n1
>  2 low    R   0:45 1 n4
>  3 low    R   0:45 1 n5
> 10 high   R   0:03 2 n[1-2]
> 11 low    R   0:03 1 n3
A range of nodes takes no free node that another component would have to stop a job for.
at 60s submit -N1 -w n1 -t 1h
> at 51.001s job 10 COMPLETED
> at 51.001s terminate job 10 on n1
> at 51.001s job 11 COMPLETED
> job 12
> at 60s launch job 12 on n1
at 61s submit -p high -N1-4 -t 5m --runs 10s : -p high -N2 -t 5m
> job 13, with components up to 14
> at 61s job 12 PREEMPTED
> at 61s terminate job 12 on n1
at 65s show jobs
> at 61.001s launch job 13 on n1
>  2 low    R   1:05 1 n4
>  3 low    R   1:05 1 n5
> 13 high   R   0:03 1 n1
> 14 high   R   0:03 2 n[2-3]
With SUSPEND it is the same.
conf
SelectType=select/linear
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-7] CPUs=4
PartitionName=low Nodes=n[1-7] Default=YES PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=high Nodes=n[1-6] PriorityTier=2 OverSubscribe=FORCE:1
end
at 80s cancel 2
> at 71.001s job 13 COMPLETED
> at 71.001s terminate job 13 on n1
> at 71.001s job 14 COMPLETED
> at 80s job 2 CANCELLED
> at 80s terminate job 2 on n4
at 80s cancel 3
> at 80s job 3 CANCELLED
> at 80s terminate job 3 on n5
at 85s show jobs
at 90s submit -N3 -w n[1-3] -t 1h
> job 15
> at 90s launch job 15 on n1
at 90s submit -N1 -w n4 -t 1h
> job 16
> at 90s launch job 16 on n4
at 91s submit -p high -N2 -w n[5-6] -t 5m --runs 3s
> job 17
> at 91s launch job 17 on n5
at 92s submit -p high -N2 -t 5m --runs 10s : -p high -N1 -t 5m
> job 18, with components up to 19
> at 92s freeze job 15 on n1
at 95s show jobs
> at 92.001s launch job 18 on n1
> at 94s job 17 COMPLETED
> at 94s terminate job 17 on n5
> 15 low    S   0:02 3 n[1-3]
> 16 low    R   0:05 1 n4
> 18 high   R   0:02 2 n[1-2]
> 19 high   R   0:02 1 n3
at 110s show jobs
> at 102.001s job 18 COMPLETED
> at 102.001s terminate job 18 on n1
> at 102.001s job 19 COMPLETED
> at 102.002s thaw job 15 on n1
> 15 low    R   0:09 3 n[1-3]
> 16 low    R   0:20 1 n4
at 111s submit -p high -N1-6 -t 5m --runs 10s : -p high -N3 -t 5m
> job 20, with components up to 21
> at 111s freeze job 15 on n1
at 115s show jobs
> at 111.001s launch job 20 on n5
> 15 low    S   0:10 3 n[1-3]
> 16 low    R   0:25 1 n4
> 20 high   R   0:03 2 n[5-6]
> 21 high   R   0:03 3 n[1-3]
