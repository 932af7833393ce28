SuspendExcStates and what a reservation or the plan of the queue makes of a node: by default it sleeps as any other.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=30
SuspendTimeout=5
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-8] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
at 0s hush terminate
at 0s hush launch
at 1s reserve ReservationName=r StartTime=now+9 Duration=5 Users=user Nodes=n[1-2]
> reservation r
at 1s reserve ReservationName=m StartTime=now+9 Duration=5 Users=user Nodes=n[3-4] Flags=MAINT
> reservation m
at 2s update SuspendExcStates=RESERVED,MAINTENANCE
> RESERVED,MAINTENANCE
at 100s show nodes
> at 30s suspend n[5-8]
> at 35s disconnect n6
> at 35s disconnect n7
> at 35s disconnect n8
> n[1-2] resv
> n[3-4] maint
> n[5-8] idle~
at 100s show why n1
> n1 registered since 0s until -: excluded by SuspendExcStates
at 101s update SuspendExcStates-=MAINTENANCE
> RESERVED
> at 101s suspend n[3-4]
at 102s update SuspendExcStates=(null)
> (null)
> at 102s suspend n[1-2]
at 103s show why n1
> n1 power-command since 102s until 107s: was idle for SuspendTime
at 120s submit --reservation r -N1 -t 1m --runs 20s
> at 106s disconnect n4
> at 107s disconnect n2
> job 1
> at 120s resume n1 (job 1: n1)
at 200s show nodes
> at 160s job 1 COMPLETED
> at 190.001s suspend n1
> n[1-2] resv~
> n[3-4] maint~
> n[5-8] idle~
What a waiting job is planned on stays up with PLANNED, until it is not any more.
at 2000s admin n[5-8] power_up
> at 2000s resume n[5-8]
at 2025s submit -w n5 -t 60m --runs 3000s
> job 2
at 2025s update SuspendExcStates+=PLANNED
> PLANNED
at 2026s submit -w n[5-6] -t 10m --runs 100s
> job 3
at 2027s show plan
> 3 at 5625s on n[5-6] until 6225s
at 2100s show nodes
> at 2050s suspend n[7-8]
> at 2055s disconnect n8
> n[1-4,7-8] idle~
> n5 alloc
> n6 plnd
at 2100s show why n6
> n6 registered since 2020s until -: a job is planned there (SuspendExcStates=PLANNED)
at 2101s cancel 3
> at 2101s job 3 CANCELLED
at 2120s show nodes
> n[1-4,7-8] idle~
> n5 alloc
> n6 idle
at 2130s admin n[7-8] power_up
> at 2130s resume n[7-8]
at 2155s submit -w n[5,7] -t 10m --runs 100s
> at 2131s suspend n6
> job 4
at 2200s show nodes
> at 2180s suspend n8
> n[1-4,6,8] idle~
> n5 alloc
> n7 plnd
at 2201s update SuspendExcStates-=PLANNED
> (null)
> at 2201s suspend n7
at 2220s show nodes
> n[1-4,6-8] idle~
> n5 alloc
