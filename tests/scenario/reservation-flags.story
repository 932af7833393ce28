Flags of reservations and jobs that may use several: MAGNETIC, REPLACE, REPLACE_DOWN, STATIC_ALLOC, PART_NODES, TIME_FLOAT, MaxStartDelay,
ResvOverRun, lists of reservations.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-6] CPUs=1
PartitionName=main Nodes=n[1-6] Default=YES MaxTime=INFINITE
PartitionName=two Nodes=n[5-6] MaxTime=INFINITE
end
What does not go together.
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 Flags=REPLACE
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> refused: Invalid update specification (Flags: REPLACE and REPLACE_DOWN are for NodeCnt, and not together with STATIC_ALLOC)
at 0s reserve StartTime=now Duration=10 Users=user NodeCnt=1 Flags=REPLACE_DOWN,STATIC_ALLOC
> refused: Invalid update specification (Flags: REPLACE and REPLACE_DOWN are for NodeCnt, and not together with STATIC_ALLOC)
at 0s reserve StartTime=now+10 Duration=10 Users=user NodeCnt=1 Flags=TIME_FLOAT,DAILY
> refused: Invalid update specification (Flags: TIME_FLOAT cannot come again)
at 0s reserve StartTime=now Duration=10 Users=user NodeCnt=1 Flags=TIME_FLOAT
> refused: Invalid update specification (Flags: TIME_FLOAT needs a StartTime that lies ahead, like now+1hour)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 Flags=PART_NODES PartitionName=two
> refused: Invalid update specification (Flags: PART_NODES needs PartitionName and Nodes=ALL)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=ALL Flags=PART_NODES
> refused: Invalid update specification (Flags: PART_NODES needs PartitionName and Nodes=ALL)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 MaxStartDelay=soon
> refused: Invalid time specified (MaxStartDelay=soon: minutes or D-H:M was expected)
MAGNETIC: a job that may use it and fits into it goes there without asking; others, and one that takes too long, do not.  Requeued it is as it was.
at 1s reserve ReservationName=m StartTime=now Duration=10 Users=user Nodes=n[1-2] Flags=MAGNETIC
> reservation m
at 1s submit -N1 -t 5m --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit --uid=1001 --user=other -N1 -t 5m --runs 10s
> job 2
> at 1s launch job 2 on n3
at 1s submit -N1 -t 11m --runs 10s
> job 3
> at 1s launch job 3 on n4
at 2s show jobs
>  1 main   R   0:01 1 n1
>  2 main   R   0:01 1 n3
>  3 main   R   0:01 1 n4
at 2s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=0:0 Reservation=m
at 2s show job 2
> job 2 RUNNING Reason=None Priority=4294901758 Restarts=0 RunTime=00:00:01 Nodes=n3 CPUs=1 Exit=0:0
at 3s requeue 1
> at 3s job 1 is requeued
> at 3s terminate job 1 on n1
at 10s show job 1
> at 3.001s launch job 1 on n1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=1 RunTime=00:00:06 Nodes=n1 CPUs=1 Exit=0:0 Reservation=m
at 200s unreserve m
> at 11s job 2 COMPLETED
> at 11s terminate job 2 on n3
> at 11s job 3 COMPLETED
> at 11s terminate job 3 on n4
> at 103.001s job 1 COMPLETED
> at 103.001s terminate job 1 on n1
at 200s show jobs
at 201s reserve ReservationName=later StartTime=now+100 Duration=10 Users=user Nodes=ALL Flags=MAGNETIC
> reservation later
at 201s submit -N6 -t 5m --runs 10s
> job 4
at 290s show jobs
>  4 main   PD  0:00 6 (ReqNodeNotAvail, Reserved for maintenance)
at 400s show jobs
> at 301s launch job 4 on n1
> at 311s job 4 COMPLETED
> at 311s terminate job 4 on n1
at 400s unreserve later
A job that names several takes the first where it can be; that one is shown then.  When one is gone the others are left.
at 500s reserve ReservationName=a StartTime=now Duration=10 Users=user Nodes=n1
> reservation a
at 500s reserve ReservationName=b StartTime=now+120 Duration=10 Users=user Nodes=n[2-3]
> reservation b
at 500s reserve ReservationName=c StartTime=now+300 Duration=10 Users=other Nodes=n4
> reservation c
at 500s submit --reservation a,c -N1
> refused: Access denied to requested reservation
at 500s submit --reservation a,nosuch -N1
> refused: Requested reservation is invalid
at 500s submit --reservation b,a -N1 -t 5m --runs 100s
> job 5
> at 500s launch job 5 on n1
at 500s submit --reservation a,b -N2 -t 5m --runs 100s
> job 6
at 501s show jobs
>  5 main   R   0:01 1 n1
>  6 main   PD  0:00 2 (Resources)
at 501s show job 5
> job 5 RUNNING Reason=None Priority=4294901755 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=0:0 Reservation=a
at 501s show plan
> 6 at 620s on n[2-3] until 920s
at 630s show job 6
> at 600s job 5 COMPLETED
> at 600s terminate job 5 on n1
> at 620s launch job 6 on n2
> job 6 RUNNING Reason=None Priority=4294901754 Restarts=0 RunTime=00:00:10 Nodes=n[2-3] CPUs=2 Exit=0:0 Reservation=b
at 800s submit --reservation b,a -N1 -t 30s --runs 10s -w n1 --hold
> at 720s job 6 COMPLETED
> at 720s terminate job 6 on n2
> job 7
at 800s unreserve a
at 1300s show job 7
> job 7 PENDING Reason=ReservationDeleted Priority=0 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 1300s release 7
> at 1300s launch job 7 on n1
at 1300s cancel 7
> at 1300s job 7 CANCELLED
> at 1300s terminate job 7 on n1
at 1300s unreserve c
REPLACE: two idle nodes are there as long as there are any; REPLACE_DOWN: only broken ones give way; STATIC_ALLOC: none do.
at 2000s reserve ReservationName=r StartTime=now Duration=100 Users=user NodeCnt=2 Flags=REPLACE
> reservation r
at 2000s show reservations
> r ACTIVE from 2000s until 8000s on n[1-2] REPLACE
at 2001s submit --reservation r -N1 -t 5m --runs 100s
> job 8
> at 2001s launch job 8 on n1
at 2002s show reservations
> r ACTIVE from 2000s until 8000s on n[2-3] REPLACE
at 2003s admin n3 DRAIN "broken"
at 2004s show reservations
> r ACTIVE from 2000s until 8000s on n[2,4] REPLACE
at 2005s admin n3 resume
at 2005s submit --reservation r -N2 -t 5m --runs 200s
> job 9
> at 2005s launch job 9 on n2
at 2006s show reservations
> r ACTIVE from 2000s until 8000s on n[3,5] REPLACE
at 2300s show nodes
> at 2101s job 8 COMPLETED
> at 2101s terminate job 8 on n1
> at 2205s job 9 COMPLETED
> at 2205s terminate job 9 on n2
> n[1-2,4,6] idle
> n[3,5] resv
at 2300s unreserve r
at 2400s reserve ReservationName=d StartTime=now Duration=100 Users=user NodeCnt=2 Flags=REPLACE_DOWN
> reservation d
at 2400s reserve ReservationName=s StartTime=now+10 Duration=100 Users=user NodeCnt=1 Flags=STATIC_ALLOC
> reservation s
at 2400s reserve ReservationName=u StartTime=now+10 Duration=100 Users=user NodeCnt=1
> reservation u
at 2400s show reservations
> d ACTIVE from 2400s until 8400s on n[1-2] REPLACE_DOWN
> s INACTIVE from 2410s until 8410s on n3 STATIC
> u INACTIVE from 2410s until 8410s on n4 
at 2401s admin n1 DRAIN "broken"
at 2401s admin n3 DRAIN "broken"
at 2401s admin n4 DRAIN "broken"
at 2402s show reservations
> d ACTIVE from 2400s until 8400s on n[2,5] REPLACE_DOWN
> s INACTIVE from 2410s until 8410s on n3 STATIC
> u INACTIVE from 2410s until 8410s on n6 
at 2403s show reservations
> d ACTIVE from 2400s until 8400s on n[2,5] REPLACE_DOWN
> s INACTIVE from 2410s until 8410s on n3 STATIC
> u INACTIVE from 2410s until 8410s on n6 
at 2404s admin n1 resume
at 2404s admin n3 resume
at 2404s admin n4 resume
at 2405s unreserve d
at 2405s unreserve s
at 2405s unreserve u
PART_NODES: all of a partition, whatever that has.
at 2500s reserve ReservationName=p StartTime=now Duration=100 Users=user PartitionName=two Nodes=ALL Flags=PART_NODES
> reservation p
at 2501s show reservations
> p ACTIVE from 2500s until 8500s on n[5-6] SPEC_NODES,PART_NODES
conf
SelectType=select/linear
SchedulerType=sched/backfill
ResvOverRun=2
NodeName=n[1-6] CPUs=1
PartitionName=main Nodes=n[1-6] Default=YES MaxTime=INFINITE
PartitionName=two Nodes=n[4-6] MaxTime=INFINITE
end
at 2502s show reservations
> p ACTIVE from 2500s until 8500s on n[4-6] SPEC_NODES,PART_NODES
at 2503s unreserve p
TIME_FLOAT: never begins; a job that needs no longer than up to its start runs there, at any time.
at 3000s reserve ReservationName=f StartTime=now+5minutes Duration=100 Users=user Nodes=ALL Flags=TIME_FLOAT
> reservation f
at 3100s submit -N6 -t 5m --runs 10s
> job 10
> at 3100s launch job 10 on n1
at 3100s submit -N1 -t 6m --runs 10s
> job 11
at 3200s show jobs
> at 3110s job 10 COMPLETED
> at 3110s terminate job 10 on n1
> 11 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
at 3200s show reservations
> f INACTIVE from 3300s until 9300s on n[1-6] SPEC_NODES,ALL_NODES,TIME_FLOAT
at 3200s unreserve f
> at 3200s launch job 11 on n1
at 3300s show jobs
> at 3210s job 11 COMPLETED
> at 3210s terminate job 11 on n1
MaxStartDelay: a job that could be in it may be on its nodes so long; others may not.
at 4000s reserve ReservationName=x StartTime=now+100 Duration=100 Users=user Nodes=ALL MaxStartDelay=2
> reservation x
at 4000s submit -N6 -t 3m --runs 10s
> job 12
> at 4000s launch job 12 on n1
at 4000s submit --uid=1001 --user=other -N6 -t 3m --runs 10s
> job 13
at 4000s submit -N6 -t 4m --runs 10s
> job 14
at 4050s show jobs
> at 4010s job 12 COMPLETED
> at 4010s terminate job 12 on n1
> 13 main   PD  0:00 6 (ReqNodeNotAvail, Reserved for maintenance)
> 14 main   PD  0:00 6 (ReqNodeNotAvail, Reserved for maintenance)
at 4200s submit -N1 -t 2m --runs 10s
> job 15
> at 4200s launch job 15 on n1
at 4200s submit -N1 -t 3m --runs 10s
> job 16
at 4220s show jobs
> at 4210s job 15 COMPLETED
> at 4210s terminate job 15 on n1
> 13 main   PD  0:00 6 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
> 14 main   PD  0:00 6 (Priority)
> 16 main   PD  0:00 1 (Priority)
at 4300s cancel 13
> at 4300s job 13 CANCELLED
at 4300s cancel 14
> at 4300s job 14 CANCELLED
at 4300s cancel 16
> at 4300s job 16 CANCELLED
at 4300s unreserve x
ResvOverRun=2: a running job may go on at the end for two minutes; a pending one is held, any job may have the nodes.
at 5000s reserve ReservationName=o StartTime=now Duration=1 Users=user Nodes=n[1-3]
> reservation o
at 5000s submit --reservation o -N1 -t 10m --runs 90s
> job 17
> at 5000s launch job 17 on n1
at 5000s submit --reservation o -N1 -t 10m --runs 500s
> job 18
> at 5000s launch job 18 on n2
at 5000s submit --reservation o -N3 -t 10m --runs 500s
> job 19
at 5059s show reservations
> o ACTIVE from 5000s until 5060s on n[1-3] SPEC_NODES
at 5061s show reservations
> o INACTIVE from 5000s until 5060s on n[1-3] SPEC_NODES
at 5061s show jobs
> 17 main   R   1:01 1 n1
> 18 main   R   1:01 1 n2
> 19 main   PD  0:00 3 (ReservationDeleted)
at 5061s submit -N4 -t 10m --runs 5s
> job 20
> at 5061s launch job 20 on n3
at 5100s show jobs
> at 5066s job 20 COMPLETED
> at 5066s terminate job 20 on n3
> at 5090s job 17 COMPLETED
> at 5090s terminate job 17 on n1
> 18 main   R   1:40 1 n2
> 19 main   PD  0:00 3 (ReservationDeleted)
at 5185s show jobs
> at 5180s job 18 TIMEOUT
> at 5180s terminate job 18 on n2
> 19 main   PD  0:00 3 (ReservationDeleted)
at 5185s show reservations
Skip: one that comes again is moved to its next turn.  TRES says NodeCnt and Licenses by other words.
at 6000s reserve ReservationName=k StartTime=now+1000 Duration=10 Users=user TRES=node=2 Flags=DAILY
> reservation k
at 6000s reserve update=k Skip=
at 6001s show reservations
> k INACTIVE from 93400s until 94000s on n[1-2] DAILY
at 6001s reserve update=k Flags-=DAILY
at 6001s reserve update=k Skip=
> refused: Invalid update specification (Skip is for the update of a reservation that comes again, without a value)
at 6002s reserve ReservationName=t StartTime=now+1000 Duration=10 Users=user TRES=gres/gpu=2
> refused: Requested operation is not supported (TRES=gres/gpu of a reservation is not implemented; node, cpu and license/NAME are)
at 6002s reserve ReservationName=t StartTime=now+1000 Duration=10 Users=user TRES=license/x=2
> refused: Invalid license specification (there is no license x)
at 6002s reserve ReservationName=t StartTime=now+1000 Duration=10 Users=user TRES=node
> refused: Invalid update specification (TRES=node: node=NUMBER, cpu=NUMBER or license/NAME=NUMBER, joined by commas, was expected)
