What is planned goes into reservations as what starts does: MAGNETIC ones that attract, REPLACE ones that get other nodes.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-6] CPUs=1
PartitionName=main Nodes=n[1-6] Default=YES MaxTime=INFINITE
end
All nodes are busy until 1000 s; from 300 s on n1 attracts jobs of user, as soon as it is free (at 200 s).
at 0s submit -N1 -w n1 -t 200s --runs 200s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> job 1
> at 0s launch job 1 on n1
at 0s submit --uid=1001 --user=other -N5 -t 1000s --runs 1000s
> job 2
> at 0s launch job 2 on n2
at 0s reserve ReservationName=m StartTime=now+300 Duration=5 Users=user Nodes=n1 Flags=MAGNETIC
> reservation m
at 1s submit -N1 -t 200s --runs 100s
> job 3
at 1s submit -N1 -t 200s --runs 100s
> job 4
at 1s submit -N1 -t 200s --runs 50s
> job 5
at 1s submit --uid=1001 --user=other -N1 -t 200s --runs 100s
> job 6
at 1s submit -N1 -t 400s --runs 100s
> job 7
at 1s submit -N2 -t 50s --runs 10s
> job 8
at 2s show plan
> 3 at 300s on n1 until 500s
> 4 at 600s on n1 until 800s
> 5 at 800s on n1 until 1000s
> 6 at 1000s on n1 until 1200s
> 7 at 1000s on n2 until 1400s
> 8 at 1000s on n[3-4] until 1050s
at 301s show jobs
> at 200s job 1 COMPLETED
> at 200s terminate job 1 on n1
> at 300s launch job 3 on n1
>  2 main   R   5:01 5 n[2-6]
>  3 main   R   0:01 1 n1
>  4 main   PD  0:00 1 (Resources)
>  5 main   PD  0:00 1 (Priority)
>  6 main   PD  0:00 1 (Priority)
>  7 main   PD  0:00 1 (Priority)
>  8 main   PD  0:00 2 (Priority)
at 301s show job 3
> job 3 RUNNING Reason=None Priority=4294901757 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=0:0 Reservation=m
at 301s show plan
> 4 at 600s on n1 until 800s
> 5 at 800s on n1 until 1000s
> 6 at 1000s on n1 until 1200s
> 7 at 1000s on n2 until 1400s
> 8 at 1000s on n[3-4] until 1050s
at 401s show jobs
> at 400s job 3 COMPLETED
> at 400s terminate job 3 on n1
>  2 main   R   6:41 5 n[2-6]
>  4 main   PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  5 main   PD  0:00 1 (Priority)
>  6 main   PD  0:00 1 (Priority)
>  7 main   PD  0:00 1 (Priority)
>  8 main   PD  0:00 2 (Priority)
at 401s show plan
> 4 at 600s on n1 until 800s
> 5 at 800s on n1 until 1000s
> 6 at 1000s on n1 until 1200s
> 7 at 1000s on n2 until 1400s
> 8 at 1000s on n[3-4] until 1050s
at 590s show jobs
>  2 main   R   9:50 5 n[2-6]
>  4 main   PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  5 main   PD  0:00 1 (Priority)
>  6 main   PD  0:00 1 (Priority)
>  7 main   PD  0:00 1 (Priority)
>  8 main   PD  0:00 2 (Priority)
at 3000s show jobs
> at 600s launch job 4 on n1
> at 700s job 4 COMPLETED
> at 700s terminate job 4 on n1
> at 700.001s launch job 5 on n1
> at 750.001s job 5 COMPLETED
> at 750.001s terminate job 5 on n1
> at 750.002s launch job 6 on n1
> at 850.002s job 6 COMPLETED
> at 850.002s terminate job 6 on n1
> at 850.003s launch job 7 on n1
> at 950.003s job 7 COMPLETED
> at 950.003s terminate job 7 on n1
> at 1000s job 2 COMPLETED
> at 1000s terminate job 2 on n2
> at 1000s launch job 8 on n1
> at 1010s job 8 COMPLETED
> at 1010s terminate job 8 on n1
Of those that come again the turn in which it fits.
at 3000s reserve ReservationName=d StartTime=now Duration=10 Users=user Nodes=n1 Flags=MAGNETIC,HOURLY
> reservation d
at 3001s submit --uid=1001 --user=other -N5 -t 9000s --runs 9000s
> job 9
> at 3001s launch job 9 on n2
at 3001s submit -N1 -t 500s --runs 500s
> job 10
> at 3001s launch job 10 on n1
at 3001s submit -N1 -t 500s --runs 500s
> job 11
at 3001s submit -N1 -t 700s --runs 10s
> job 12
at 3002s show jobs
>  9 main   R   0:01 5 n[2-6]
> 10 main   R   0:01 1 n1
> 11 main   PD  0:00 1 (Resources)
> 12 main   PD  0:00 1 (Priority)
at 3002s show plan
> 11 at 3600s on n1 until 4100s
> 12 at 4100s on n1 until 4800s
at 6700s show jobs
> at 3501s job 10 COMPLETED
> at 3501s terminate job 10 on n1
> at 3600s launch job 11 on n1
> at 4100s job 11 COMPLETED
> at 4100s terminate job 11 on n1
> at 4100.001s launch job 12 on n1
> at 4110.001s job 12 COMPLETED
> at 4110.001s terminate job 12 on n1
>  9 main   R  1:01:39 5 n[2-6]
at 13000s show jobs
> at 12001s job 9 COMPLETED
> at 12001s terminate job 9 on n2
at 13000s unreserve d
--test-only says the same.
at 14000s submit --uid=1001 --user=other -N6 -t 1000s --runs 1000s
> job 13
> at 14000s launch job 13 on n1
at 14001s reserve ReservationName=m StartTime=now+1020 Duration=5 Users=user Nodes=ALL Flags=MAGNETIC
> reservation m
at 14002s estimate -N1 -t 100s
> in 00:16:59 on n1, 1 CPUs
at 14002s estimate -N1 -t 400s
> in 00:21:59 on n1, 1 CPUs
at 14002s estimate --uid=1001 --user=other -N1 -t 100s
> in 00:21:59 on n1, 1 CPUs
at 16000s show jobs
> at 15000s job 13 COMPLETED
> at 15000s terminate job 13 on n1
REPLACE: a job that starts in it gets its nodes, others come for them; so the next of its jobs does not wait for that.
at 20000s reserve ReservationName=r StartTime=now+100 Duration=100 Users=user NodeCnt=2 Flags=REPLACE
> reservation r
at 20001s submit --reservation r -N1 -t 200s --runs 190s
> job 14
at 20001s submit --reservation r -N2 -t 200s --runs 190s
> job 15
at 20001s submit --reservation r -N2 -t 200s --runs 190s
> job 16
at 20001s submit --reservation r -N2 -t 200s --runs 190s
> job 17
at 20002s show plan
> 14 at 20100s on n3 until 20300s
> 15 at 20100s on n[4-5] until 20300s
> 16 at 20100s on n[1,6] until 20300s
> 17 at 20300s on n[3-4] until 20500s
at 20002s submit --uid=1001 --user=other -N1 -t 500s --runs 500s
> job 18
at 20002s show plan
> 14 at 20100s on n3 until 20300s
> 15 at 20100s on n[4-5] until 20300s
> 16 at 20100s on n[1,6] until 20300s
> 17 at 20300s on n[3-4] until 20500s
> 18 at 20300s on n5 until 20800s
at 20101s show jobs
> at 20100s launch job 14 on n1
> at 20100s launch job 15 on n2
> at 20100s launch job 16 on n4
> 14 main   R   0:01 1 n1
> 15 main   R   0:01 2 n[2-3]
> 16 main   R   0:01 2 n[4-5]
> 17 main   PD  0:00 2 (Resources)
> 18 main   PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
at 20101s show plan
> 17 at 20300s on n[1-2] until 20500s
> 18 at 20300s on n3 until 20800s
at 20101s show reservations
> r ACTIVE from 20100s until 26100s on n[5-6] REPLACE
at 20500s show jobs
> at 20290s job 14 COMPLETED
> at 20290s terminate job 14 on n1
> at 20290s job 15 COMPLETED
> at 20290s terminate job 15 on n2
> at 20290s launch job 17 on n3
> at 20290s job 16 COMPLETED
> at 20290s terminate job 16 on n4
> at 20290.001s launch job 18 on n2
> at 20480s job 17 COMPLETED
> at 20480s terminate job 17 on n3
> 18 main   R   3:29 1 n2
at 21000s show jobs
> at 20790.001s job 18 COMPLETED
> at 20790.001s terminate job 18 on n2
at 21000s unreserve r
