Nodes that the plan keeps for jobs that wait are shown as PLANNED: idle ones plnd, partly used ones mix-; a busy one is alloc.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=5
ResumeTimeout=60
SuspendExcNodes=n[1-4]
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 601s show nodes
> at 600s suspend n[5-6]
> n[1-4] idle
> n[5-6] idle%
at 602s submit -N1 -n4 -w n1 -t 1000s --runs 1000s
> job 1
> at 602s launch job 1 on n1
at 602s submit -N1 -n1 -w n2 -t 500s --runs 500s
> job 2
> at 602s launch job 2 on n2
at 603s submit -N5 -n20 -w n[1-5] -t 100s --runs 100s
> job 3
Nodes that sleep have a sign of their own; the plan is told by the long word.
at 610s show nodes
> at 605s disconnect n6
> n1 alloc
> n2 mix-
> n[3-4] plnd
> n[5-6] idle~
at 610s show plan
> 3 at 1662s on n[1-5] until 1762s
at 610s show node n2
> n2 MIXED+PLANNED (mix-, mixed-)
at 610s show node n3
> n3 IDLE+PLANNED (plnd, planned)
at 610s show node n5
> n5 IDLE+POWERED_DOWN+PLANNED (idle~, idle~)
at 610s show node n6
> n6 IDLE+POWERED_DOWN (idle~, idle~)
Out of service it is not planned any more, and its job's other nodes neither, as it has no place without it.
at 620s admin n3 drain broken
at 621s show nodes
> n1 alloc
> n2 mix
> n3 drain
> n4 idle
> n[5-6] idle~
at 630s admin n3 resume
at 631s show nodes
> n1 alloc
> n2 mix-
> n[3-4] plnd
> n[5-6] idle~
A job that ends in time may have it meanwhile.
at 640s submit -N1 -n1 -w n3 -t 300s --runs 20s
> job 4
> at 640s launch job 4 on n3
at 641s submit -N1 -n4 -w n4 -t 300s --runs 20s
> job 5
> at 641s launch job 5 on n4
at 642s show nodes
> n[1,4] alloc
> n[2-3] mix-
> n[5-6] idle~
at 670s show nodes
> at 660s job 4 COMPLETED
> at 660s terminate job 4 on n3
> at 661s job 5 COMPLETED
> at 661s terminate job 5 on n4
> n1 alloc
> n2 mix-
> n[3-4] plnd
> n[5-6] idle~
A job that takes what is planned keeps nothing planned; nor does one that goes away.
at 1700s show nodes
> at 1102s job 2 COMPLETED
> at 1102s terminate job 2 on n2
> at 1602s job 1 COMPLETED
> at 1602s terminate job 1 on n1
> at 1602.001s launch job 3 on n1
> at 1602.001s resume n5 (job 3: n5)
> n[1-5] alloc
> n6 idle~
at 1710s show jobs
> at 1702.001s job 3 COMPLETED
> at 1702.001s terminate job 3 on n1
at 1711s submit -N1 -n4 -w n1 -t 1000s --runs 1000s
> job 6
> at 1711s launch job 6 on n1
at 1712s submit -N6 -n24 -t 100s --runs 100s
> job 7
at 1713s show nodes
> n1 alloc
> n[2-5] plnd
> n6 idle~
at 1714s cancel 7
> at 1714s job 7 CANCELLED
at 1715s show nodes
> n1 alloc
> n[2-5] idle
> n6 idle~
Without backfill there is no plan.
at 1716s submit -N6 -n24 -t 100s --runs 100s
> job 8
at 1717s show nodes
> n1 alloc
> n[2-5] plnd
> n6 idle~
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=5
ResumeTimeout=60
SuspendExcNodes=n[1-4]
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 1718s show nodes
> n1 alloc
> n[2-5] idle
> n6 idle~
at 1719s show jobs
>  6 p      R   0:08 1 n1
>  8 p      PD  0:00 6 (Resources)
