Until when a job of a gang is expected to stand still: until its turn, behind those that are before it in the list.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=10
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=n[1-2] OverSubscribe=FORCE:4 Default=YES
PartitionName=top Nodes=n[1-2] OverSubscribe=FORCE:1 PriorityTier=5
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N1 -n4 -w n1 -t 600s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1 -n4 -w n1 -t 600s
> job 2
at 3s submit -N1 -n4 -w n1 -t 600s
> job 3
at 4s submit -N1 -n4 -w n1 -t 600s
> job 4
2 is next, then 3, then 4.
at 5s show stopped
> 2 for 1 until 12s
> 3 for 1 until 22s
> 4 for 1 until 32s
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      S   0:00 1 n1
>  3 p      S   0:00 1 n1
>  4 p      S   0:00 1 n1
The next slice: 3 is next, and 1 is last.
at 13s show stopped
> at 12s freeze job 1 on n1
> at 12.001s launch job 2 on n1
> 1 for 2 until 42s
> 3 for 2 until 22s
> 4 for 2 until 32s
at 13s show jobs
>  1 p      S   0:11 1 n1
>  2 p      R   0:00 1 n1
>  3 p      S   0:00 1 n1
>  4 p      S   0:00 1 n1
Two that hold half of the node each, and are stopped by one that has all of it, have one turn together.
at 20s cancel 1
> at 20s job 1 CANCELLED
> at 20s terminate job 1 on n1 at once
at 20s cancel 2
> at 20s job 2 CANCELLED
> at 20s terminate job 2 on n1
at 20s cancel 3
> at 20s job 3 CANCELLED
at 20s cancel 4
> at 20s job 4 CANCELLED
at 30s submit -N1 -n4 -w n2 -t 600s
> job 5
> at 30s launch job 5 on n2
at 31s submit -N1 -n2 -w n2 -t 600s
> job 6
at 31s submit -N1 -n2 -w n2 -t 600s
> job 7
at 31s submit -N1 -n4 -w n2 -t 600s
> job 8
at 32s show stopped
> 6 for 5 until 41s
> 7 for 5 until 41s
> 8 for 5 until 51s
at 43s show stopped
> at 41s freeze job 5 on n2
> at 41.001s launch job 6 on n2
> at 41.001s launch job 7 on n2
> 5 for 6 until 61s
> 8 for 6 until 51s
at 43s show jobs
>  5 p      S   0:11 1 n2
>  6 p      R   0:01 1 n2
>  7 p      R   0:01 1 n2
>  8 p      S   0:00 1 n2
A preemptor has it as long as it may run.
at 44s submit -N1 -n4 -w n2 -t 120s -p top
> job 9
> at 44s freeze job 6 on n2
> at 44s freeze job 7 on n2
at 45s show stopped
> at 44.001s launch job 9 on n2
> 5 for 9 until 164.001s
> 6 for 9 until 164.001s
> 7 for 9 until 164.001s
> 8 for 9 until 164.001s
