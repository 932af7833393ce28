Rows: how many jobs may hold the same units.  FORCE:2: a third one waits in the queue (S5e); memory is not shared.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=GANG
NodeName=n[1-2] CPUs=2 RealMemory=1000
PartitionName=DEFAULT Nodes=n[1-2] DefMemPerNode=100
PartitionName=force OverSubscribe=FORCE:2 Default=YES
PartitionName=yes OverSubscribe=YES:2
PartitionName=no OverSubscribe=NO
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
S5e: the first two share n1 once n2 is taken; idle units come first, then those that the fewest hold.
at 1s submit -n2 -w n1
> job 1
> at 1s launch job 1 on n1
at 2s submit -n2
> job 2
> at 2s launch job 2 on n2
at 3s submit -n1
> job 3
at 4s submit -n2 -w n2
> job 4
at 5s submit -n2
> job 5
at 6s show jobs
>  1 force  R   0:05 1 n1
>  2 force  R   0:04 1 n2
>  3 force  S   0:00 1 n1
>  4 force  S   0:00 1 n2
>  5 force  PD  0:00 1 (Resources)
at 7s submit -n1
> job 6
at 8s show jobs
>  1 force  R   0:07 1 n1
>  2 force  R   0:06 1 n2
>  3 force  S   0:00 1 n1
>  4 force  S   0:00 1 n2
>  5 force  PD  0:00 1 (Resources)
>  6 force  PD  0:00 1 (Priority)
at 8s show job 5
> job 5 PENDING Reason=Resources Priority=4294901755 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
When one ends the place in its row is taken.
at 9s cancel 4
> at 9s job 4 CANCELLED
at 10s show jobs
>  1 force  R   0:09 1 n1
>  2 force  R   0:08 1 n2
>  3 force  S   0:00 1 n1
>  5 force  S   0:00 2 n[1-2]
>  6 force  S   0:00 1 n2
at 11s cancel 1
> at 11s job 1 CANCELLED
> at 11s terminate job 1 on n1
at 11s cancel 2
> at 11s job 2 CANCELLED
> at 11s terminate job 2 on n2
at 11s cancel 3
> at 11s job 3 CANCELLED
at 11s cancel 5
> at 11s job 5 CANCELLED
at 11s cancel 6
> at 11s job 6 CANCELLED
at 12s show jobs
Memory: there is none left for a second job, though there is a row.
at 20s submit -n2 -w n1 --mem 600
> job 7
> at 20s launch job 7 on n1
at 21s submit -n2 -w n1 --mem 600
> job 8
at 22s show jobs
>  7 force  R   0:02 1 n1
>  8 force  PD  0:00 1 (Resources)
at 23s cancel 7
> at 23s job 7 CANCELLED
> at 23s terminate job 7 on n1
at 24s show jobs
> at 23.001s launch job 8 on n1
>  8 force  R   0:00 1 n1
at 25s cancel 8
> at 25s job 8 CANCELLED
> at 25s terminate job 8 on n1
S20, YES: only if both asked for it.
at 30s submit -p yes -n2 -w n1
> job 9
> at 30s launch job 9 on n1
at 31s submit -p yes -n2 -w n1 -s
> job 10
at 32s show jobs
>  9 yes    R   0:02 1 n1
> 10 yes    PD  0:00 1 (Resources)
at 33s cancel 9
> at 33s job 9 CANCELLED
> at 33s terminate job 9 on n1
at 34s submit -p yes -n2 -w n1 -s
> at 33.001s launch job 10 on n1
> job 11
at 35s show jobs
> 10 yes    R   0:01 1 n1
> 11 yes    S   0:00 1 n1
at 70s show jobs
> at 64s freeze job 10 on n1
> at 64.001s launch job 11 on n1
> 10 yes    S   0:30 1 n1
> 11 yes    R   0:05 1 n1
--exclusive does not share, nor does another partition.
at 71s submit -p yes -N1 -w n1 --exclusive
> job 12
at 72s submit -p no -n1 -w n1
> job 13
at 73s show jobs
> 10 yes    S   0:30 1 n1
> 11 yes    R   0:08 1 n1
> 12 yes    PD  0:00 1 (Resources)
> 13 no     PD  0:00 1 (Resources)
at 74s cancel 10
> at 74s job 10 CANCELLED
> at 74s terminate job 10 on n1 at once
at 74s cancel 11
> at 74s job 11 CANCELLED
> at 74s terminate job 11 on n1
at 74s cancel 12
> at 74s job 12 CANCELLED
at 74s cancel 13
> at 74s job 13 CANCELLED
