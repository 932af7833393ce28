A victim runs on while its preemptor's other node boots: it stands still when that is up, or so shortly before that it is just in time.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=5
ResumeTimeout=120
SchedulerTimeSlice=5
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PreemptParameters=suspend_grace_time=2
NodeName=n1 CPUs=2
NodeName=n[2-3] CPUs=2 State=CLOUD
PartitionName=low Nodes=n[1-3] Default=YES MaxTime=INFINITE PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=high Nodes=n[1-3] MaxTime=INFINITE PriorityTier=2 OverSubscribe=FORCE:1
PartitionName=top Nodes=n[1-3] MaxTime=INFINITE PriorityTier=3 OverSubscribe=FORCE:1
end
at 0s delay boot 20s
> at 0s n1 registers
at 1s submit -p low -w n1 --exclusive --runs 500s
> job 1
> at 1s launch job 1 on n1
The usual boot of n2 is not known: the victim runs on until it is up.
at 3s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 2
> at 3s resume n2 (job 2: n2)
at 20s show jobs
>  1 low    R   0:19 1 n1
>  2 high   CF  0:00 2 n[1-2]
at 50s show jobs
> at 23s n2 registers
> at 23s freeze job 1 on n1
> at 25.001s launch job 2 on n1
> at 35.001s job 2 COMPLETED
> at 35.001s terminate job 2 on n1
> at 35.002s thaw job 1 on n1
>  1 low    R   0:36 1 n1
Now it is known: job 1 stands still 3 s before n3 is expected, as n2 was.
at 100s submit -p high -w n3 -N1 --exclusive --runs 1s
> job 3
> at 100s resume n3 (job 3: n3)
at 150s admin n[2-3] power_down
> at 120s n3 registers
> at 120s launch job 3 on n3
> at 121s job 3 COMPLETED
> at 121s terminate job 3 on n3
> at 150s suspend n[2-3]
at 200s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> at 155s n2 is lost
> at 155s disconnect n3
> job 4
> at 200s resume n2 (job 4: n2)
at 201s show jobs
>  1 low    R   3:07 1 n1
>  4 high   CF  0:00 2 n[1-2]
at 219s show jobs
> at 218s freeze job 1 on n1
>  1 low    S   3:24 1 n1
>  4 high   CF  0:00 2 n[1-2]
at 260s show jobs
> at 220s n2 registers
> at 220.001s launch job 4 on n1
> at 230.001s job 4 COMPLETED
> at 230.001s terminate job 4 on n1
> at 230.002s thaw job 1 on n1
>  1 low    R   3:54 1 n1
A boot that takes longer than usual: the victim goes on when it is 10 s late, and runs on when it has failed.
at 270s admin n[2-3] power_down
> at 270s suspend n[2-3]
at 300s fault never-registers n2
> at 275s n2 is lost
at 301s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 5
> at 301s resume n2 (job 5: n2)
at 310s show jobs
>  1 low    R   4:44 1 n1
>  5 high   CF  0:00 2 n[1-2]
at 330s show jobs
> at 319s freeze job 1 on n1
>  1 low    S   4:53 1 n1
>  5 high   CF  0:00 2 n[1-2]
at 450s show jobs
> at 331s thaw job 1 on n1
> at 421s job 5 is requeued
> at 421s resume-fail n2
>  1 low    R   6:52 1 n1
>  5 high   PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n2)
at 700s show jobs
> at 531.004s job 1 COMPLETED
> at 531.004s terminate job 1 on n1
>  5 high   PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n2)
The preemptor is cancelled meanwhile: nothing happens to the victim.
at 800s cancel 5
> at 800s job 5 CANCELLED
at 801s repair n2
at 802s admin n2 RESUME
at 810s admin n[2-3] power_down
> at 810s suspend n[2-3]
at 850s submit -p low -w n1 --exclusive --runs 60s
> job 6
> at 850s launch job 6 on n1
at 851s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 7
> at 851s resume n2 (job 7: n2)
at 855s cancel 7
> at 855s job 7 CANCELLED
at 900s show job 6
> at 871s n2 registers
> job 6 RUNNING Reason=None Priority=4294901754 Restarts=0 RunTime=00:00:50 Nodes=n1 CPUs=2 Exit=0:0
The controller dies while both have n1.
at 1000s admin n[2-3] power_down
> at 910s job 6 COMPLETED
> at 910s terminate job 6 on n1
> at 1000s suspend n[2-3]
at 1010s submit -p low -w n1 --exclusive --runs 100s
> at 1005s n2 is lost
> job 8
> at 1010s launch job 8 on n1
at 1011s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 9
> at 1011s resume n2 (job 9: n2)
at 1020s kill
> at 1020s resume n2 (job 9: n2)
at 1025s show jobs
> at 1020.5s n1 registers
>  8 low    R   0:15 1 n1
>  9 high   CF  0:00 2 n[1-2]
at 1100s show jobs
> at 1029s freeze job 8 on n1
> at 1031s n2 registers
> at 1031.001s launch job 9 on n1
> at 1041.001s job 9 COMPLETED
> at 1041.001s terminate job 9 on n1
> at 1041.002s thaw job 8 on n1
>  8 low    R   1:17 1 n1
The victim ends by itself.
at 1200s admin n[2-3] power_down
> at 1120.002s job 8 COMPLETED
> at 1120.002s terminate job 8 on n1
> at 1200s suspend n[2-3]
at 1210s submit -p low -w n1 --exclusive --runs 5s
> at 1205s n2 is lost
> job 10
> at 1210s launch job 10 on n1
at 1211s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 11
> at 1211s resume n2 (job 11: n2)
at 1260s show jobs
> at 1215s job 10 COMPLETED
> at 1215s terminate job 10 on n1
> at 1231s n2 registers
> at 1231s launch job 11 on n1
> at 1241s job 11 COMPLETED
> at 1241s terminate job 11 on n1
Components of one job: what n1 is needed for waits for n2.
at 1300s admin n[2-3] power_down
> at 1300s suspend n[2-3]
at 1310s submit -p low -w n1 --exclusive --runs 100s
> at 1305s n2 is lost
> job 12
> at 1310s launch job 12 on n1
at 1311s submit -p high -w n1 --exclusive --runs 10s : -w n2 --exclusive
> job 13, with components up to 14
> at 1311s resume n2 (job 14: n2)
at 1320s show jobs
> 12 low    R   0:10 1 n1
> 13 high   CF  0:00 1 n1
> 14 low    CF  0:00 1 n2
at 1440s show jobs
> at 1329s freeze job 12 on n1
> at 1331s n2 registers
> at 1331.001s launch job 13 on n1
> at 1341.001s job 13 COMPLETED
> at 1341.001s terminate job 13 on n1
> at 1341.001s job 14 COMPLETED
> at 1341.002s thaw job 12 on n1
> at 1420.002s job 12 COMPLETED
> at 1420.002s terminate job 12 on n1
The victim has components: all stand still at once.
at 1500s admin n[2-3] power_down
> at 1500s suspend n[2-3]
at 1505s submit -p low -w n1 --exclusive --runs 100s : -w n3 --exclusive
> at 1505s n2 is lost
> job 15, with components up to 16
> at 1505s resume n3 (job 16: n3)
at 1560s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> at 1525s n3 registers
> at 1525s launch job 15 on n1
> job 17
> at 1560s resume n2 (job 17: n2)
at 1570s show jobs
> 15 low    R   0:45 1 n1
> 16 low    R   0:45 1 n3
> 17 high   CF  0:00 2 n[1-2]
at 1585s show jobs
> at 1578s freeze job 15 on n1
> at 1580s n2 registers
> at 1580.001s launch job 17 on n1
> 15 low    S   0:53 1 n1
> 16 low    S   0:53 1 n3
> 17 high   R   0:04 2 n[1-2]
A job of a higher tier waits for the preemptor to begin, as ever.
at 1900s admin n[2-3] power_down
> at 1590.001s job 17 COMPLETED
> at 1590.001s terminate job 17 on n1
> at 1590.002s thaw job 15 on n1
> at 1635.002s job 15 COMPLETED
> at 1635.002s terminate job 15 on n1
> at 1635.002s job 16 COMPLETED
> at 1900s suspend n[2-3]
at 1910s submit -p low -w n1 --exclusive --runs 100s
> at 1905s n2 is lost
> at 1905s disconnect n3
> job 18
> at 1910s launch job 18 on n1
at 1911s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 19
> at 1911s resume n2 (job 19: n2)
at 1912s submit -p top -w n1 --exclusive --runs 3s
> job 20
at 1916s show jobs
> 18 low    R   0:06 1 n1
> 19 high   CF  0:00 2 n[1-2]
> 20 top    PD  0:00 1 (Resources)
at 2100s show jobs
> at 1929s freeze job 18 on n1
> at 1931s n2 registers
> at 1931.001s launch job 19 on n1
> at 1931.001s freeze job 19 on n1
> at 1933.002s launch job 20 on n1
> at 1936.002s job 20 COMPLETED
> at 1936.002s terminate job 20 on n1
> at 1936.003s thaw job 19 on n1
> at 1936.003s launch job 19 on n1
> at 1946.003s job 19 COMPLETED
> at 1946.003s terminate job 19 on n1
> at 1946.004s thaw job 18 on n1
> at 2025.004s job 18 COMPLETED
> at 2025.004s terminate job 18 on n1
