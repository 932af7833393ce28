A boot takes longer than it usually does: the victim goes on meanwhile, and stands still again when the node is up.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=6000
SuspendTimeout=5
ResumeTimeout=300
SchedulerTimeSlice=5
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PreemptParameters=suspend_grace_time=2
NodeName=n[1-2] CPUs=2
NodeName=n[3-4] CPUs=2 State=CLOUD
PartitionName=low Nodes=n[1-4] Default=YES MaxTime=INFINITE PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=high Nodes=n[1-4] MaxTime=INFINITE PriorityTier=2 OverSubscribe=FORCE:1
PartitionName=top Nodes=n[1-4] MaxTime=INFINITE PriorityTier=3 OverSubscribe=FORCE:1
end
n3 and n4 usually need 20 s.
at 0s delay boot 20s
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -p low -w n[3-4] -N2 --runs 1s
> job 1
> at 1s resume n[3-4] (job 1: n[3-4])
at 50s admin n[3-4] power_down
> at 21s n3 registers
> at 21s n4 registers
> at 21s launch job 1 on n3
> at 22s job 1 COMPLETED
> at 22s terminate job 1 on n3
> at 50s suspend n[3-4]
Job 2 stands still 3 s before n3 is expected, goes on when n3 is 10 s late, and stands still when it is up.
at 60s delay boot 80s
> at 55s n3 is lost
> at 55s disconnect n4
at 100s submit -p low -w n1 --exclusive --runs 600s
> job 2
> at 100s launch job 2 on n1
at 101s submit -p high -w n[1,3] -N2 --exclusive --runs 10s
> job 3
> at 101s resume n3 (job 3: n3)
at 125s show jobs
> at 119s freeze job 2 on n1
>  2 low    S   0:19 1 n1
>  3 high   CF  0:00 2 n[1,3]
at 140s show jobs
> at 131s thaw job 2 on n1
>  2 low    R   0:28 1 n1
>  3 high   CF  0:00 2 n[1,3]
at 260s show jobs
> at 181s n3 registers
> at 181s freeze job 2 on n1
> at 183.001s launch job 3 on n1
> at 193.001s job 3 COMPLETED
> at 193.001s terminate job 3 on n1
> at 193.002s thaw job 2 on n1
>  2 low    R   2:15 1 n1
A boot that is a little late lets nothing go on.
at 300s admin n[3-4] power_down
> at 300s suspend n[3-4]
at 310s delay boot 26s
> at 305s n3 is lost
at 311s submit -p high -w n[1,4] -N2 --exclusive --runs 10s
> job 4
> at 311s resume n4 (job 4: n4)
at 380s show jobs
> at 329s freeze job 2 on n1
> at 337s n4 registers
> at 337s launch job 4 on n1
> at 347s job 4 COMPLETED
> at 347s terminate job 4 on n1
> at 347.001s thaw job 2 on n1
>  2 low    R   3:57 1 n1
The boot fails: the victim has gone on already.
at 400s admin n4 power_down
> at 400s suspend n4
at 410s fault never-registers n4
> at 405s n4 is lost
at 411s submit -p high -w n[1,4] -N2 --exclusive --runs 10s
> job 5
> at 411s resume n4 (job 5: n4)
at 450s show jobs
> at 435s freeze job 2 on n1
> at 447s thaw job 2 on n1
>  2 low    R   4:55 1 n1
>  5 high   CF  0:00 2 n[1,4]
at 730s show jobs
> at 711s job 5 is requeued
> at 711s resume-fail n4
>  2 low    R   9:35 1 n1
>  5 high   PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n4)
at 800s cancel 5
> at 746.003s job 2 COMPLETED
> at 746.003s terminate job 2 on n1
> at 800s job 5 CANCELLED
at 801s repair n4
at 802s admin n4 RESUME
The preemptor is cancelled while the victim stands still, and the look that was due finds nothing.
at 810s delay boot 100s
at 820s admin n[3-4] power_down
> at 820s suspend n[3-4]
at 830s submit -p low -w n1 --exclusive --runs 100s
> job 6
> at 830s launch job 6 on n1
at 831s submit -p high -w n[1,4] -N2 --exclusive --runs 10s
> job 7
> at 831s resume n4 (job 7: n4)
at 858s show jobs
> at 855s freeze job 6 on n1
>  6 low    S   0:25 1 n1
>  7 high   CF  0:00 2 n[1,4]
at 859s cancel 7
> at 859s job 7 CANCELLED
> at 859s thaw job 6 on n1
at 950s show jobs
> at 931s n4 registers
> at 932s job 6 COMPLETED
> at 932s terminate job 6 on n1
The controller dies while the victim stands still, and while it has gone on.
at 1000s admin n4 power_down
> at 1000s suspend n4
at 1010s delay boot 250s
> at 1005s n4 is lost
at 1020s submit -p low -w n1 --exclusive --runs 400s
> job 8
> at 1020s launch job 8 on n1
at 1021s submit -p high -w n[1,3] -N2 --exclusive --runs 10s
> job 9
> at 1021s resume n3 (job 9: n3)
at 1100s show jobs
> at 1099s freeze job 8 on n1
>  8 low    S   1:19 1 n1
>  9 high   CF  0:00 2 n[1,3]
at 1101s kill
at 1130s show jobs
> at 1101.5s n1 registers
> at 1101.5s freeze job 8 on n1
> at 1101.597s n2 registers
> at 1111s thaw job 8 on n1
>  8 low    R   1:38 1 n1
>  9 high   CF  0:00 2 n[1,3]
at 1131s kill
at 1150s show jobs
> at 1131.5s n1 registers
> at 1131.597s n2 registers
>  8 low    R   1:58 1 n1
>  9 high   CF  0:00 2 n[1,3]
at 1450s show jobs
> at 1271s n3 registers
> at 1271s freeze job 8 on n1
> at 1273.001s launch job 9 on n1
> at 1283.001s job 9 COMPLETED
> at 1283.001s terminate job 9 on n1
> at 1283.002s thaw job 8 on n1
> at 1437.502s job 8 COMPLETED
> at 1437.502s terminate job 8 on n1
Another job has units of the victim meanwhile: it goes on after that one.
at 1600s admin n[3-4] power_down
> at 1600s suspend n[3-4]
at 1620s submit -p low -w n[1-2] -N2 --exclusive --runs 400s
> at 1605s n3 is lost
> job 10
> at 1620s launch job 10 on n1
at 1621s submit -p high -w n[1,4] -N2 --exclusive --runs 10s
> job 11
> at 1621s resume n4 (job 11: n4)
at 1725s submit -p high -w n2 --exclusive --runs 50s
> at 1719s freeze job 10 on n1
> job 12
> at 1725s launch job 12 on n2
at 1760s show jobs
> 10 low    S   1:39 2 n[1-2]
> 11 high   CF  0:00 2 n[1,4]
> 12 high   R   0:35 1 n2
at 1800s show jobs
> at 1775s job 12 COMPLETED
> at 1775s terminate job 12 on n2
> at 1775.001s thaw job 10 on n1
> 10 low    R   2:03 2 n[1-2]
> 11 high   CF  0:00 2 n[1,4]
at 1950s show jobs
> at 1871s n4 registers
> at 1871s freeze job 10 on n1
> at 1873.001s launch job 11 on n1
> at 1883.001s job 11 COMPLETED
> at 1883.001s terminate job 11 on n1
> at 1883.002s thaw job 10 on n1
> 10 low    R   4:21 2 n[1-2]
All components of a victim go on, and stand still, at once.
at 2200s admin n[3-4] power_down
> at 2084.003s job 10 COMPLETED
> at 2084.003s terminate job 10 on n1
> at 2200s suspend n[3-4]
at 2210s delay boot 290s
> at 2205s n4 is lost
at 2220s submit -p low -w n1 --exclusive --runs 400s : -w n2 --exclusive
> job 13, with components up to 14
> at 2220s launch job 13 on n1
at 2221s submit -p high -w n[1,4] -N2 --exclusive --runs 10s
> job 15
> at 2221s resume n4 (job 15: n4)
at 2470s show jobs
> at 2469s freeze job 13 on n1
> 13 low    S   4:09 1 n1
> 14 low    S   4:09 1 n2
> 15 high   CF  0:00 2 n[1,4]
at 2485s show jobs
> at 2481s thaw job 13 on n1
> 13 low    R   4:13 1 n1
> 14 low    R   4:13 1 n2
> 15 high   CF  0:00 2 n[1,4]
at 2600s show jobs
> at 2511s n4 registers
> at 2511s freeze job 13 on n1
> at 2513.001s launch job 15 on n1
> at 2523.001s job 15 COMPLETED
> at 2523.001s terminate job 15 on n1
> at 2523.002s thaw job 13 on n1
> 13 low    R   5:55 1 n1
> 14 low    R   5:55 1 n2
