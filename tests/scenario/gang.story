Time slices: PreemptMode=GANG alone, and a partition that lets four jobs have the same nodes (S5, S5b, S5c).
conf
SelectType=select/linear
PreemptMode=GANG
SchedulerTimeSlice=30
FirstJobId=3
NodeName=n[12-16] CPUs=1
PartitionName=active OverSubscribe=FORCE Nodes=n[12-16] Default=YES
end
at 0s hush agents
> at 0s n12 registers
> at 0s n13 registers
> at 0s n14 registers
> at 0s n15 registers
> at 0s n16 registers
S5: two jobs of five nodes each.  The second stands still from the start, and has not even been launched.
at 10s submit -N5
> job 3
> at 10s launch job 3 on n12
at 21s submit -N5
> job 4
at 22s show jobs
>  3 active R   0:12 5 n[12-16]
>  4 active S   0:00 5 n[12-16]
At the end of the slice, which began when a job had to wait, the first is stopped; then the second is launched.
at 59.5s show jobs
> at 51s freeze job 3 on n12
> at 51.001s launch job 4 on n12
>  3 active S   0:41 5 n[12-16]
>  4 active R   0:08 5 n[12-16]
at 80s show jobs
>  3 active S   0:41 5 n[12-16]
>  4 active R   0:28 5 n[12-16]
at 82s show jobs
> at 81s freeze job 4 on n12
> at 81.001s thaw job 3 on n12
>  3 active R   0:41 5 n[12-16]
>  4 active S   0:29 5 n[12-16]
at 112s show jobs
> at 111s freeze job 3 on n12
> at 111.001s thaw job 4 on n12
>  3 active S   1:10 5 n[12-16]
>  4 active R   0:30 5 n[12-16]
at 113s cancel 3
> at 113s job 3 CANCELLED
> at 113s terminate job 3 on n12 at once
at 113s cancel 4
> at 113s job 4 CANCELLED
> at 113s terminate job 4 on n12
S5b: jobs of 3, 2 and 3 nodes: the second delays none and always runs.
at 120s submit --hold
> job 5
at 120s submit --hold
> job 6
at 120s submit --hold
> job 7
at 120s submit --hold
> job 8
at 121s cancel 5
> at 121s job 5 CANCELLED
at 121s cancel 6
> at 121s job 6 CANCELLED
at 121s cancel 7
> at 121s job 7 CANCELLED
at 121s cancel 8
> at 121s job 8 CANCELLED
at 122s submit -N3
> job 9
> at 122s launch job 9 on n12
at 123s submit -N2
> job 10
> at 123s launch job 10 on n15
at 125s submit -N3
> job 11
at 126s show jobs
>  9 active R   0:04 3 n[12-14]
> 10 active R   0:03 2 n[15-16]
> 11 active S   0:00 3 n[12-14]
at 160s show jobs
> at 155s freeze job 9 on n12
> at 155.001s launch job 11 on n12
>  9 active S   0:33 3 n[12-14]
> 10 active R   0:37 2 n[15-16]
> 11 active R   0:04 3 n[12-14]
at 190s show jobs
> at 185s freeze job 11 on n12
> at 185.001s thaw job 9 on n12
>  9 active R   0:37 3 n[12-14]
> 10 active R   1:07 2 n[15-16]
> 11 active S   0:29 3 n[12-14]
at 191s show job 11
> job 11 SUSPENDED Reason=None Priority=4294901755 Restarts=0 RunTime=00:00:29 Nodes=n[12-14] CPUs=3 Exit=0:0
at 192s cancel 9
> at 192s job 9 CANCELLED
> at 192s terminate job 9 on n12
at 192s cancel 10
> at 192s job 10 CANCELLED
> at 192s terminate job 10 on n15
at 192s cancel 11
> at 192s job 11 CANCELLED
> at 192s terminate job 11 on n12 at once
S5c, local backfill: the third job fits beside the first while the second waits for all of the nodes.
at 200s submit -N3
> job 12
> at 200s launch job 12 on n12
at 201s submit -N5
> job 13
at 202s submit -N2
> job 14
> at 202s launch job 14 on n15
at 205s show jobs
> 12 active R   0:05 3 n[12-14]
> 13 active S   0:00 5 n[12-16]
> 14 active R   0:03 2 n[15-16]
at 240s show jobs
> at 231s freeze job 14 on n15
> at 231s freeze job 12 on n12
> at 231.001s launch job 13 on n12
> 12 active S   0:31 3 n[12-14]
> 13 active R   0:08 5 n[12-16]
> 14 active S   0:29 2 n[15-16]
at 270s show jobs
> at 261s freeze job 13 on n12
> at 261.001s thaw job 14 on n15
> at 261.001s thaw job 12 on n12
> 12 active R   0:39 3 n[12-14]
> 13 active S   0:29 5 n[12-16]
> 14 active R   0:37 2 n[15-16]
at 271s cancel 13
> at 271s job 13 CANCELLED
> at 271s terminate job 13 on n12 at once
at 272s show jobs
> 12 active R   0:41 3 n[12-14]
> 14 active R   0:39 2 n[15-16]
A job that is left alone is not stopped any more.
at 400s show jobs
> 12 active R   2:49 3 n[12-14]
> 14 active R   2:47 2 n[15-16]
at 401s cancel 12
> at 401s job 12 CANCELLED
> at 401s terminate job 12 on n12
at 401s cancel 14
> at 401s job 14 CANCELLED
> at 401s terminate job 14 on n15
