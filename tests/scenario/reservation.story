Reservations: which jobs may have which nodes when.  Jobs outside are off them by their start and do not come before their end; jobs
inside have them alone, from the start on, and are ended at the end.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
NodeName=n[1-4] CPUs=4
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE OverSubscribe=EXCLUSIVE
end
at 0s reserve StartTime=now+1hour Duration=60 Users=user
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> refused: Node count specification invalid (Nodes or NodeCnt must be given)
at 0s reserve StartTime=now+1hour Duration=60 Nodes=n1
> refused: Reservation request lacks users, groups or accounts
at 0s reserve Duration=60 Users=user Nodes=n1
> refused: Invalid time specified (a StartTime must be given)
at 0s reserve StartTime=now+1hour Users=user Nodes=n1
> refused: Invalid time specified (an EndTime or a Duration must be given)
at 0s reserve StartTime=now+1hour EndTime=now+1minute Users=user Nodes=n1
> refused: Invalid time specified (EndTime must be later than StartTime)
at 0s reserve StartTime=1970-01-01 Duration=1 Users=user Nodes=n1
> refused: Invalid time specified (StartTime lies in the past)
at 0s reserve StartTime=now Duration=1 Users=user Nodes=n9
> refused: Invalid node name specified (node n9 is not configured)
at 0s reserve StartTime=now Duration=1 Users=user NodeCnt=9
> refused: Requested nodes are busy (Requested nodes are busy: only 4 of 9 nodes of partition main are free at that time)
at 0s reserve StartTime=now Duration=1 Users=user NodeCnt=1 Flags=FIRST_CORES
> refused: Invalid update specification (Flags: FIRST_CORES is for CoreCnt)
at 0s reserve StartTime=now Duration=1 Users=user NodeCnt=1 Flags=NONSENSE
> refused: Invalid update specification (Flags: "NONSENSE" is not a flag of reservations)
at 0s reserve StartTime=now Duration=1 Users=user NodeCnt=1 CoreCnt=5
> refused: Requested nodes are busy (Requested nodes are busy: only 0 of 5 cores of partition main are free at that time)
at 0s reserve StartTime=now Duration=1 Users=user NodeCnt=1 Foo=3
> refused: Invalid update specification (a reservation has no parameter Foo)
at 0s reserve StartTime=now Duration=1 Users=user,,x NodeCnt=1
> refused: Invalid update specification (Users=user,,x: names joined by commas, each perhaps behind a sign was expected)
at 0s reserve StartTime=now Duration=2-0 Users=user NodeCnt=1 Flags=DAILY
> refused: Invalid time specified (it would begin again before it ends)
A reservation from 100 s to 220 s of two nodes.  Backfill goes around it: the long job has the other nodes, the short ones begin at once.
at 0s reserve ReservationName=r StartTime=now+100 Duration=2 Users=user Nodes=n[1-2]
> reservation r
at 0s reserve ReservationName=r StartTime=now+1000 Duration=2 Users=user Nodes=n[1-2]
> refused: Duplicate reservation name
at 0s reserve ReservationName=q StartTime=now+150 Duration=2 Users=user Nodes=n[2-3]
> refused: Requested reservation overlaps with another reservation
at 0s reserve ReservationName=q StartTime=now+150 Duration=2 Users=user Nodes=n[2-3] Flags=OVERLAP
> reservation q
at 0s unreserve q
at 1s submit -N2 -t 300s --runs 120s
> job 1
> at 1s launch job 1 on n3
at 1s submit -N4 -t 300s --runs 10s
> job 2
at 1s submit -N2 -t 99s --runs 60s
> job 3
> at 1s launch job 3 on n1
at 1s submit --reservation r -N2 -t 100s --runs 50s
> job 4
at 1s submit --reservation nosuch
> refused: Requested reservation is invalid
at 1s submit --reservation r,q
> refused: Requested reservation is invalid
at 1s submit --reservation r -N1 -w n3
> refused: Requested node configuration is not available (Required nodes outside of the reservation)
at 2s show jobs
>  1 main   R   0:01 2 n[3-4]
>  2 main   PD  0:00 4 (Resources)
>  3 main   R   0:01 2 n[1-2]
>  4 main   PD  0:00 2 (Reservation)
at 2s show plan
> 2 at 301s on n[1-4] until 601s
> 4 at 100s on n[1-2] until 200s
at 2s show nodes
> n[1-4] alloc
at 99s show nodes
> at 61s job 3 COMPLETED
> at 61s terminate job 3 on n1
> n[1-2] plnd
> n[3-4] alloc
at 101s show nodes
> at 100s launch job 4 on n1
> n[1-4] alloc
at 101s show jobs
>  1 main   R   1:40 2 n[3-4]
>  2 main   PD  0:00 4 (Resources)
>  4 main   R   0:01 2 n[1-2]
at 101s show reservations
> r ACTIVE from 100s until 220s on n[1-2] SPEC_NODES
at 110s unreserve r
> refused: Requested reservation is in use
at 111s show reservations
> r ACTIVE from 100s until 220s on n[1-2] SPEC_NODES
at 111s show jobs
>  1 main   R   1:50 2 n[3-4]
>  2 main   PD  0:00 4 (Resources)
>  4 main   R   0:11 2 n[1-2]
at 160s submit --reservation r -N1 -t 1000s --runs 500s
> at 121s job 1 COMPLETED
> at 121s terminate job 1 on n3
> at 150s job 4 COMPLETED
> at 150s terminate job 4 on n1
> job 5
> at 160s launch job 5 on n1
at 165s show jobs
>  2 main   PD  0:00 4 (Resources)
>  5 main   R   0:05 1 n1
At 220 s it is over: a job that runs in it is ended, and one that waits for it is held.
at 166s submit --reservation r -N2 -t 10s --runs 5s
> job 6
at 225s show jobs
> at 220s job 5 TIMEOUT
> at 220s terminate job 5 on n1
> at 220.001s launch job 2 on n1
>  2 main   R   0:04 4 n[1-4]
>  6 main   PD  0:00 2 (ReservationDeleted)
at 225s show reservations
at 225s show nodes
> n[1-4] alloc
at 225s release 6
at 1000s show jobs
> at 230.001s job 2 COMPLETED
> at 230.001s terminate job 2 on n1
> at 230.001s launch job 6 on n2
> at 235.001s job 6 COMPLETED
> at 235.001s terminate job 6 on n2
FLEX: any nodes, any time.
at 1000s reserve ReservationName=f StartTime=now+100 Duration=2 Users=user Nodes=n[1-2] Flags=FLEX
> reservation f
at 1000s submit --reservation f -N4 -t 500s --runs 300s
> job 7
> at 1000s launch job 7 on n1
at 1001s submit -N1 -t 1000s --runs 10s -w n1
> job 8
at 1002s show jobs
>  7 main   R   0:02 4 n[1-4]
>  8 main   PD  0:00 1 (Resources)
at 1500s show jobs
> at 1300s job 7 COMPLETED
> at 1300s terminate job 7 on n1
> at 1300.001s launch job 8 on n1
> at 1310.001s job 8 COMPLETED
> at 1310.001s terminate job 8 on n1
MAINT and IGNORE_JOBS: what runs goes on, nothing begins there.
at 1500s submit -N4 -t 1000s --runs 100s
> job 9
> at 1500s launch job 9 on n1
at 1510s reserve ReservationName=m StartTime=now Duration=10 Users=root Nodes=ALL Flags=MAINT
> refused: Requested nodes are busy
at 1510s reserve ReservationName=m StartTime=now Duration=10 Users=root Nodes=ALL Flags=MAINT,IGNORE_JOBS
> reservation m
at 1511s show nodes
> n[1-4] alloc$
at 1511s submit --reservation m -N1
> refused: Access denied to requested reservation
at 1511s submit -N1 -t 10s --runs 5s
> job 10
at 1650s show nodes
> at 1600s job 9 COMPLETED
> at 1600s terminate job 9 on n1
> n[1-4] maint
at 1650s show jobs
> 10 main   PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
at 2150s show jobs
> at 2110s launch job 10 on n1
> at 2115s job 10 COMPLETED
> at 2115s terminate job 10 on n1
at 2150s show nodes
> n[1-4] idle
DAILY: tomorrow too.  A job that would still run then does not begin.
at 2200s reserve ReservationName=d StartTime=now Duration=10 Users=user NodeCnt=1 Flags=DAILY,PURGE_COMP=5-0
> reservation d
at 2200s show reservations
> d ACTIVE from 2200s until 2800s on n1 DAILY,PURGE_COMP=5-00:00:00
at 2200s submit -N4 -t 90000s --runs 10s
> job 11
at 2200s submit -N4 -t 80000s --runs 10s
> job 12
at 2201s show jobs
> 11 main   PD  0:00 4 (Resources)
> 12 main   PD  0:00 4 (Priority)
at 2900s show reservations
> at 2800s launch job 12 on n1
> at 2810s job 12 COMPLETED
> at 2810s terminate job 12 on n1
> d INACTIVE from 88600s until 89200s on n1 DAILY,PURGE_COMP=5-00:00:00
at 2900s show jobs
> 11 main   PD  0:00 4 (ReqNodeNotAvail, Reserved for maintenance)
at 90000s show reservations
> d INACTIVE from 175000s until 175600s on n1 DAILY,PURGE_COMP=5-00:00:00
at 90000s clock forward 1h
at 90001s show reservations
> d INACTIVE from 171400s until 172000s on n1 DAILY,PURGE_COMP=5-00:00:00
at 90001s reserve update=d Flags-=DAILY
at 90002s show reservations
> d INACTIVE from 171400s until 172000s on n1 PURGE_COMP=5-00:00:00
at 90002s reserve update=d Duration=5 Users+=bob
at 90003s show reservations
> d INACTIVE from 171400s until 171700s on n1 PURGE_COMP=5-00:00:00
PURGE_COMP: unused for a minute it goes.  NodeCnt avoids what is busy.
at 95000s submit -N2 -t 1000s --runs 1000s
> job 13
> at 95000s launch job 13 on n1
at 95001s reserve StartTime=now Duration=100 Users=user NodeCnt=3
> refused: Requested nodes are busy (Requested nodes are busy: only 2 of 3 nodes of partition main are free at that time)
at 95001s reserve ReservationName=p StartTime=now Duration=100 Users=user NodeCnt=2 Flags=PURGE_COMP=1
> reservation p
at 95002s show reservations
> d INACTIVE from 171400s until 171700s on n1 PURGE_COMP=5-00:00:00
> p ACTIVE from 95001s until 101001s on n[3-4] PURGE_COMP=00:01:00
at 95002s submit --reservation p -N2 -t 100s --runs 100s
> job 14
> at 95002s launch job 14 on n3
at 95200s show reservations
> at 95102s job 14 COMPLETED
> at 95102s terminate job 14 on n3
> d INACTIVE from 171400s until 171700s on n1 PURGE_COMP=5-00:00:00
at 95400s show reservations
> d INACTIVE from 171400s until 171700s on n1 PURGE_COMP=5-00:00:00
