Node sharing by user and label; S14 of the preemption guide: no job is preempted by another user's job there.
conf
SelectTypeParameters=CR_Core
MCSPlugin=mcs/user
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=p PriorityTier=1 Default=YES
PartitionName=own PriorityTier=1 ExclusiveUser=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
A node is its user's while the user has a job there that wants it so.
at 0s submit -n1 --exclusive=user --uid=1
> job 1
> at 0s launch job 1 on n1
at 0s submit -n1 --uid=1
> job 2
> at 0s launch job 2 on n1
at 0s submit -n1 --uid=2
> job 3
> at 0s launch job 3 on n2
at 0s submit -n1 --exclusive=user --uid=3
> job 4
at 1s show jobs
>  1 p      R   0:01 1 n1
>  2 p      R   0:01 1 n1
>  3 p      R   0:01 1 n2
>  4 p      PD  0:00 1 (Resources)
at 2s cancel 1
> at 2s job 1 CANCELLED
> at 2s terminate job 1 on n1
at 3s cancel 2
> at 3s job 2 CANCELLED
> at 3s terminate job 2 on n1
at 4s show jobs
> at 3.001s launch job 4 on n1
>  3 p      R   0:04 1 n2
>  4 p      R   0:00 1 n1
at 5s submit -n1 --exclusive=user --uid=2
> job 5
> at 5s launch job 5 on n2
at 6s show jobs
>  3 p      R   0:06 1 n2
>  4 p      R   0:02 1 n1
>  5 p      R   0:01 1 n2
at 7s cancel 3
> at 7s job 3 CANCELLED
> at 7s terminate job 3 on n2
at 7s cancel 4
> at 7s job 4 CANCELLED
> at 7s terminate job 4 on n1
at 7s cancel 5
> at 7s job 5 CANCELLED
> at 7s terminate job 5 on n2
S14: B's job waits, though its tier is higher.
at 10s submit -p own -n4 -w n1 --uid=1
> job 6
> at 10s launch job 6 on n1
at 10s submit -p high -n4 -w n1 --uid=2
> job 7
at 10s submit -p high -n4 -w n1 --uid=1
> job 8
> at 10s freeze job 6 on n1
at 11s show jobs
> at 10.001s launch job 8 on n1
>  6 own    S   0:00 1 n1
>  7 high   PD  0:00 1 (Resources)
>  8 high   R   0:00 1 n1
at 12s cancel 8
> at 12s job 8 CANCELLED
> at 12s terminate job 8 on n1
at 13s cancel 6
> at 12.001s thaw job 6 on n1
> at 13s job 6 CANCELLED
> at 13s terminate job 6 on n1
at 14s show jobs
> at 13.001s launch job 7 on n1
>  7 high   R   0:00 1 n1
at 15s cancel 7
> at 15s job 7 CANCELLED
> at 15s terminate job 7 on n1
The exception: a job that has the node for itself does not count, and can be preempted by the job of any user.
at 20s submit -p own -n1 -w n1 --exclusive --uid=1
> job 9
> at 20s launch job 9 on n1
at 20s submit -p high -n1 -w n1 --exclusive=user --uid=2
> job 10
> at 20s freeze job 9 on n1
at 21s show jobs
> at 20.001s launch job 10 on n1
>  9 own    S   0:00 1 n1
> 10 high   R   0:00 1 n1
at 22s cancel 10
> at 22s job 10 CANCELLED
> at 22s terminate job 10 on n1
at 23s cancel 9
> at 22.001s thaw job 9 on n1
> at 23s job 9 CANCELLED
> at 23s terminate job 9 on n1
Labels.
at 30s submit -n1 -w n1 --exclusive=mcs --uid=1
> job 11
> at 30s launch job 11 on n1
at 30s submit -n1 -w n1 --mcs-label user1 --uid=1
> job 12
> at 30s launch job 12 on n1
at 30s submit -n1 -w n1 --mcs-label user2 --uid=2
> job 13
at 30s submit -n1 -w n2 --mcs-label user2 --uid=2
> job 14
> at 30s launch job 14 on n2
at 30s submit -n1 -w n2 --mcs-label user1 --uid=1
> job 15
> at 30s launch job 15 on n2
at 30s submit -n1 -w n1 --uid=1
> job 16
at 30s submit -n1 --mcs-label user1 --uid=2
> refused: Invalid mcs_label specified
at 31s show jobs
> 11 p      R   0:01 1 n1
> 12 p      R   0:01 1 n1
> 13 p      PD  0:00 1 (Resources)
> 14 p      R   0:01 1 n2
> 15 p      R   0:01 1 n2
> 16 p      PD  0:00 1 (Resources)
