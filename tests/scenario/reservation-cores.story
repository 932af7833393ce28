Reservations of cores (CoreCnt): which they are, and the jobs that have them.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
NodeName=n[1-3] CPUs=4
NodeName=n4 CPUs=8 CoresPerSocket=4 ThreadsPerCore=2
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
What is wrong.
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n[1-2] CoreCnt=2
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> refused: Core count for reservation node list is not consistent! (Core count for reservation node list is not consistent!: 1 number for 2 nodes)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 CoreCnt=0
> refused: Core count for reservation node list is not consistent! (CoreCnt=0: a number of cores, or one for each node, joined by commas, was expected)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 CoreCnt=2,
> refused: Core count for reservation node list is not consistent! (CoreCnt=2,: a number of cores, or one for each node, joined by commas, was expected)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 CoreCnt=5
> refused: Requested nodes are busy (Requested nodes are busy: node n1 does not have 5 cores free at that time)
at 0s reserve StartTime=now Duration=10 Users=user NodeCnt=2 CoreCnt=1
> refused: Core count for reservation node list is not consistent! (Core count for reservation node list is not consistent!: 1 number for 2 nodes)
at 0s reserve StartTime=now Duration=10 Users=user NodeCnt=3 CoreCnt=1,2
> refused: Core count for reservation node list is not consistent! (Core count for reservation node list is not consistent!: 2 numbers for 3 nodes)
at 0s reserve StartTime=now Duration=10 Users=user CoreCnt=40
> refused: Requested nodes are busy (Requested nodes are busy: only 16 of 40 cores of partition main are free at that time)
at 0s reserve StartTime=now Duration=10 Users=user NodeCnt=1 Flags=FIRST_CORES
> refused: Invalid update specification (Flags: FIRST_CORES is for CoreCnt)
at 0s reserve StartTime=now Duration=10 Users=user NodeCnt=1 CoreCnt=1 Flags=REPLACE
> refused: Invalid update specification (Flags: REPLACE, REPLACE_DOWN and PART_NODES do not go with CoreCnt)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 TRES=cpu=x
> refused: Core count for reservation node list is not consistent! (CoreCnt=x: a number of cores, or one for each node, joined by commas, was expected)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 TRES=node=1,2
> refused: Invalid update specification (TRES=1: node=NUMBER, cpu=NUMBER or license/NAME=NUMBER, joined by commas, was expected)
Two of n1 and three of n2; others have the rest; a job that would run into its time has not these.
at 1s reserve ReservationName=r StartTime=now+100 Duration=10 Users=user Nodes=n[1-2] CoreCnt=2,3
> reservation r
at 1s show reservations
> r INACTIVE from 101s until 701s on n[1-2] (n1:0-1 n2:0-2) SPEC_NODES
at 1s show nodes
> n[1-4] idle
at 1s submit -n4 -N1 -w n1 -t 90s --runs 80s
> job 1
> at 1s launch job 1 on n1
at 2s submit -n3 -N1 -w n1 -t 200s --runs 10s
> job 2
at 2s submit -n2 -N1 -w n1 -t 200s --runs 150s
> job 3
at 2s submit --reservation r -n5 -t 5m --runs 100s
> job 4
at 2s submit --reservation r -n6 -t 5m
> refused: Requested node configuration is not available
at 2s submit --reservation r -n1 --exclusive
> refused: Requested node configuration is not available
at 3s show jobs
>  1 main   R   0:02 1 n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   PD  0:00 1 (Resources)
>  4 main   PD  0:00 1 (Reservation)
at 3s show plan
> 2 at 701s on n1 until 901s
> 3 at 91s on n1 until 291s
> 4 at 101s on n[1-2] until 401s
at 90s show jobs
> at 81s job 1 COMPLETED
> at 81s terminate job 1 on n1
> at 81.001s launch job 3 on n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   R   0:08 1 n1
>  4 main   PD  0:00 1 (Reservation)
at 102s show jobs
> at 101s launch job 4 on n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   R   0:20 1 n1
>  4 main   R   0:01 2 n[1-2]
at 102s show job 2
> job 2 PENDING Reason=Resources Priority=4294901758 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 102s show nodes
> n1 alloc
> n2 mix
> n[3-4] idle
at 300s show jobs
> at 201s job 4 COMPLETED
> at 201s terminate job 4 on n1
> at 231.001s job 3 COMPLETED
> at 231.001s terminate job 3 on n1
>  2 main   PD  0:00 1 (Resources)
at 800s show jobs
> at 701s launch job 2 on n1
> at 711s job 2 COMPLETED
> at 711s terminate job 2 on n1
Another takes others of them, a whole one none; what is asked for the second time stays.
at 1000s reserve ReservationName=a StartTime=now+100 Duration=10 Users=user Nodes=n1 CoreCnt=2
> reservation a
at 1000s reserve ReservationName=b StartTime=now+100 Duration=10 Users=user Nodes=n1 CoreCnt=1
> reservation b
at 1000s reserve ReservationName=c StartTime=now+100 Duration=10 Users=user Nodes=n1 CoreCnt=2
> refused: Requested nodes are busy (Requested nodes are busy: node n1 does not have 2 cores free at that time)
at 1000s reserve ReservationName=c StartTime=now+100 Duration=10 Users=user Nodes=n1 CoreCnt=2 Flags=OVERLAP
> reservation c
at 1000s reserve ReservationName=w StartTime=now+100 Duration=10 Users=user Nodes=n[1-2]
> refused: Requested reservation overlaps with another reservation
at 1000s reserve ReservationName=f StartTime=now+1000 Duration=10 Users=user Nodes=n1 CoreCnt=2 Flags=FIRST_CORES
> reservation f
at 1000s reserve ReservationName=g StartTime=now+100 Duration=10 Users=user Nodes=n1 CoreCnt=1 Flags=FIRST_CORES
> refused: Requested nodes are busy (Requested nodes are busy: node n1 does not have 1 cores free at that time)
at 1000s show reservations
> a INACTIVE from 1100s until 1700s on n1 (n1:0-1) SPEC_NODES
> b INACTIVE from 1100s until 1700s on n1 (n1:2) SPEC_NODES
> c INACTIVE from 1100s until 1700s on n1 (n1:0-1) OVERLAP,SPEC_NODES
> f INACTIVE from 2000s until 2600s on n1 (n1:0-1) SPEC_NODES,FIRST_CORES
at 1000s reserve update=a CoreCnt=1
> refused: Core-based reservation can not be updated
at 1000s reserve update=a Nodes=n2
> refused: Core-based reservation can not be updated
at 1000s reserve update=f StartTime=now+120
> refused: Requested reservation overlaps with another reservation
at 1000s reserve update=a Duration=20
> refused: Requested reservation overlaps with another reservation
at 1001s show reservations
> a INACTIVE from 1100s until 1700s on n1 (n1:0-1) SPEC_NODES
> b INACTIVE from 1100s until 1700s on n1 (n1:2) SPEC_NODES
> c INACTIVE from 1100s until 1700s on n1 (n1:0-1) OVERLAP,SPEC_NODES
> f INACTIVE from 2000s until 2600s on n1 (n1:0-1) SPEC_NODES,FIRST_CORES
at 1001s unreserve a
at 1001s unreserve b
at 1001s unreserve c
at 1001s unreserve f
On any nodes: as few as do, so many, so many each; CPUs of cores with threads; busy ones are avoided.
at 1100s submit -n3 -N1 -w n1 -t 1000s --runs 100s
> job 5
> at 1100s launch job 5 on n1
at 1101s reserve ReservationName=a StartTime=now Duration=10 Users=user CoreCnt=6
> reservation a
at 1101s reserve ReservationName=b StartTime=now Duration=10 Users=user NodeCnt=2 CoreCnt=3
> reservation b
at 1101s reserve ReservationName=c StartTime=now Duration=10 Users=user Nodes=n4 TRES=cpu=3
> reservation c
at 1101s reserve ReservationName=d StartTime=now Duration=10 Users=user Nodes=n1 CoreCnt=2
> refused: Requested nodes are busy (Requested nodes are busy: node n1 does not have 2 cores free at that time)
at 1101s reserve ReservationName=d StartTime=now Duration=10 Users=user Nodes=n1 CoreCnt=2 Flags=IGNORE_JOBS
> reservation d
at 1102s show reservations
> a ACTIVE from 1101s until 1701s on n[2-3] (n2:0-3 n3:0-1) 
> b ACTIVE from 1101s until 1701s on n[3-4] (n3:2-3 n4:0) 
> c ACTIVE from 1101s until 1701s on n4 (n4:1-2) SPEC_NODES
> d ACTIVE from 1101s until 1701s on n1 (n1:0,3) IGNORE_JOBS,SPEC_NODES
at 1102s submit -n3 -N1 -t 60s --runs 10s
> job 6
at 1103s submit -n2 -N1 -t 60s --runs 10s
> job 7
> at 1103s launch job 7 on n4
at 1103s submit -N1 --exclusive -t 60s --runs 10s
> job 8
at 1103s submit --reservation d -n2 -t 60s --runs 10s
> job 9
at 1104s show jobs
>  5 main   R   0:04 1 n1
>  6 main   PD  0:00 1 (Resources)
>  7 main   R   0:01 1 n4
>  8 main   PD  0:00 1 (Priority)
>  9 main   PD  0:00 1 (Resources)
at 1104s show plan
> 6 at 1701s on n2 until 1761s
> 8 at 1701s on n3 until 1761s
> 9 is not planned
at 1204s show jobs
> at 1113s job 7 COMPLETED
> at 1113s terminate job 7 on n4
> at 1200s job 5 COMPLETED
> at 1200s terminate job 5 on n1
> at 1200.001s launch job 9 on n1
>  6 main   PD  0:00 1 (Resources)
>  8 main   PD  0:00 1 (Priority)
>  9 main   R   0:03 1 n1
at 2000s show jobs
> at 1210.001s job 9 COMPLETED
> at 1210.001s terminate job 9 on n1
> at 1701s launch job 6 on n1
> at 1701s launch job 8 on n2
> at 1711s job 6 COMPLETED
> at 1711s terminate job 6 on n1
> at 1711s job 8 COMPLETED
> at 1711s terminate job 8 on n2
