A victim that is cancelled or requeued runs on, too, while nodes of its preemptor boot: those are woken at once, and its GraceTime is over when they are up.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=5
ResumeTimeout=120
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n1 CPUs=2
NodeName=n[2-3] CPUs=2 State=CLOUD
PartitionName=low Nodes=n[1-3] Default=YES MaxTime=INFINITE PriorityTier=1
PartitionName=grace Nodes=n[1-3] MaxTime=INFINITE PriorityTier=1 GraceTime=5 PreemptMode=CANCEL
PartitionName=high Nodes=n[1-3] MaxTime=INFINITE PriorityTier=2 PreemptMode=OFF
PartitionName=top Nodes=n[1-3] MaxTime=INFINITE PriorityTier=3
end
at 0s delay boot 20s
> at 0s n1 registers
at 1s submit -p low -w n1 --exclusive --runs 30s
> job 1
> at 1s launch job 1 on n1
The usual boot of n2 is not known.
at 3s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 2
> at 3s resume n2
at 20s show jobs
>  1 low    R   0:19 1 n1
>  2 high   PD  0:00 2 (Resources)
at 20s show why n2
> n2 power-command since 3s until 123s: wanted by JobId=2, for which others make way when it is up
at 100s show jobs
> at 23s n2 registers
> at 23s job 1 is requeued
> at 23s terminate job 1 on n1
> at 23.001s launch job 2 on n1
> at 33.001s job 2 COMPLETED
> at 33.001s terminate job 2 on n1
> at 33.002s launch job 1 on n1
> at 63.002s job 1 COMPLETED
> at 63.002s terminate job 1 on n1
With GraceTime, and a boot of which the length is known.
at 150s admin n[2-3] power_down
> at 150s suspend n[2-3]
at 200s submit -p grace -w n1 --exclusive --runs 500s
> at 155s n2 is lost
> job 3
> at 200s launch job 3 on n1
at 201s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 4
> at 201s resume n2
at 210s show jobs
>  3 grace  R   0:10 1 n1
>  4 high   PD  0:00 2 (Resources)
at 217s show jobs
> at 217s signal job 3 on n1
> at 217s signal job 3 on n1
>  3 grace  R   0:17 1 n1
>  4 high   PD  0:00 2 (Resources)
at 260s show jobs
> at 221s n2 registers
> at 222s job 3 PREEMPTED
> at 222s terminate job 3 on n1
> at 222.001s launch job 4 on n1
> at 232.001s job 4 COMPLETED
> at 232.001s terminate job 4 on n1
The controller dies meanwhile.
at 300s admin n[2-3] power_down
> at 300s suspend n[2-3]
at 310s submit -p grace -w n1 --exclusive --runs 500s
> at 305s n2 is lost
> job 5
> at 310s launch job 5 on n1
at 311s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 6
> at 311s resume n2
at 315s kill
> at 315s resume n2
at 316s show jobs
> at 315.5s n1 registers
>  5 grace  R   0:06 1 n1
>  6 high   PD  0:00 2 (Resources)
at 360s show jobs
> at 327s signal job 5 on n1
> at 327s signal job 5 on n1
> at 331s n2 registers
> at 332s job 5 PREEMPTED
> at 332s terminate job 5 on n1
> at 332.001s launch job 6 on n1
> at 342.001s job 6 COMPLETED
> at 342.001s terminate job 6 on n1
The preemptor is cancelled before its victim was told: nothing happens to that.
at 400s admin n[2-3] power_down
> at 400s suspend n[2-3]
at 410s submit -p grace -w n1 --exclusive --runs 30s
> at 405s n2 is lost
> job 7
> at 410s launch job 7 on n1
at 411s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 8
> at 411s resume n2
at 413s cancel 8
> at 413s job 8 CANCELLED
at 413s show job 7
> job 7 RUNNING Reason=None Priority=4294901753 Restarts=0 RunTime=00:00:03 Nodes=n1 CPUs=2 Exit=0:0
at 460s show job 7
> at 431s n2 registers
> at 440s job 7 COMPLETED
> at 440s terminate job 7 on n1
> job 7 COMPLETED Reason=None Priority=4294901753 Restarts=0 RunTime=00:00:30 Nodes=n1 CPUs=2 Exit=0:0
The victim ends by itself before it was told: it has not been preempted.
at 500s admin n[2-3] power_down
> at 500s suspend n[2-3]
at 510s submit -p grace -w n1 --exclusive --runs 4s
> at 505s n2 is lost
> job 9
> at 510s launch job 9 on n1
at 511s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 10
> at 511s resume n2
at 560s show job 9
> at 514s job 9 COMPLETED
> at 514s terminate job 9 on n1
> at 531s n2 registers
> at 531s launch job 10 on n1
> at 541s job 10 COMPLETED
> at 541s terminate job 10 on n1
> job 9 COMPLETED Reason=None Priority=4294901751 Restarts=0 RunTime=00:00:04 Nodes=n1 CPUs=2 Exit=0:0
The boot fails: the victim goes on as if nothing had been.
at 600s admin n[2-3] power_down
> at 600s suspend n[2-3]
at 605s fault never-registers n2
> at 605s n2 is lost
at 610s submit -p low -w n1 --exclusive --runs 200s
> job 11
> at 610s launch job 11 on n1
at 611s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 12
> at 611s resume n2
at 620s show jobs
> 11 low    R   0:10 1 n1
> 12 high   PD  0:00 2 (Resources)
at 780s show jobs
> at 731s resume-fail n2
> 11 low    R   2:50 1 n1
> 12 high   PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n2)
at 850s cancel 11
> at 810s job 11 COMPLETED
> at 810s terminate job 11 on n1
> refused: Job/step already completing or completed
at 850s cancel 12
> at 850s job 12 CANCELLED
at 850s repair n2
at 851s admin n2 RESUME
A job that comes before it, and whose nodes are up, ends the victim at once.
at 900s admin n[2-3] power_down
> at 900s suspend n[2-3]
at 910s submit -p low -w n1 --exclusive --runs 100s
> job 13
> at 910s launch job 13 on n1
at 911s submit -p high -w n[1-2] -N2 --exclusive --runs 10s
> job 14
> at 911s resume n2
at 912s submit -p top -w n1 --exclusive --runs 3s
> job 15
> at 912s job 13 is requeued
> at 912s terminate job 13 on n1
at 913s show jobs
> at 912.001s launch job 15 on n1
> 13 low    PD  0:00 1 (Resources)
> 14 high   PD  0:00 2 (Resources)
> 15 top    R   0:00 1 n1
at 1100s show jobs
> at 915.001s job 15 COMPLETED
> at 915.001s terminate job 15 on n1
> at 931s n2 registers
> at 931s launch job 14 on n1
> at 941s job 14 COMPLETED
> at 941s terminate job 14 on n1
> at 941.001s launch job 13 on n1
> at 1041.001s job 13 COMPLETED
> at 1041.001s terminate job 13 on n1
Components of a preemptor, and of a victim.
at 1200s admin n[2-3] power_down
> at 1200s suspend n[2-3]
at 1210s submit -p low -w n1 --exclusive --runs 100s
> at 1205s n2 is lost
> job 16
> at 1210s launch job 16 on n1
at 1211s submit -p high -w n1 --exclusive --runs 10s : -w n2 --exclusive
> job 17, with components up to 18
> at 1211s resume n2
at 1220s show jobs
> 16 low    R   0:10 1 n1
> 17 high   PD  0:00 1 (Resources)
> 18 low    PD  0:00 1 (Resources)
at 1400s show jobs
> at 1231s n2 registers
> at 1231s job 16 is requeued
> at 1231s terminate job 16 on n1
> at 1231.001s launch job 17 on n1
> at 1241.001s job 17 COMPLETED
> at 1241.001s terminate job 17 on n1
> at 1241.001s job 18 COMPLETED
> at 1241.002s launch job 16 on n1
> at 1341.002s job 16 COMPLETED
> at 1341.002s terminate job 16 on n1
