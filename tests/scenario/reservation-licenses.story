Licenses that reservations keep: no other job has them while they last, backfill knows, and a job inside has no others of that name.
conf
SelectType=select/linear
SchedulerType=sched/backfill
Licenses=a:4,b:2
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 Licenses=nosuch
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> refused: Invalid license specification (there is no license nosuch)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 Licenses=a:5
> refused: Invalid license specification (5 of license a requested, 4 exist)
at 0s reserve StartTime=now Duration=10 Users=user Flags=ANY_NODES
> refused: Invalid update specification (Flags: ANY_NODES needs Licenses)
at 0s reserve StartTime=now Duration=10 Users=user NodeCnt=0 Licenses=a:1
> refused: Node count specification invalid (NodeCnt=0 is for Licenses with Flags=ANY_NODES)
at 0s reserve StartTime=now Duration=10 Users=user Nodes=n1 Licenses=a:1 Flags=FLEX
> refused: Invalid update specification (Flags: TIME_FLOAT and FLEX do not go with Licenses)
at 0s reserve ReservationName=r StartTime=now+100 Duration=5 Users=user Flags=ANY_NODES Licenses=a:3
> reservation r
at 0s reserve ReservationName=s StartTime=now+200 Duration=5 Users=user Flags=ANY_NODES Licenses=a:2
> refused: Invalid license specification (with other reservations 5 of license a would be kept, there are 4)
A short job has them before it begins, a long one waits for its end; one that needs few can run beside it.
at 1s submit -L a:2 -t 50s --runs 40s
> job 1
> at 1s launch job 1 on n1
at 1s submit -L a:2 -t 200s --runs 40s
> job 2
at 1s submit -L a:1 -t 200s --runs 180s
> job 3
> at 1s launch job 3 on n2
at 1s submit --reservation r -L a:4
> refused: Invalid license specification (4 of license a requested, 3 exist in reservation r)
at 1s submit --reservation r -L a:2 -t 200s --runs 20s
> job 4
at 1s submit --reservation r -L a:2,b:1 -t 200s --runs 20s
> job 5
at 2s show jobs
>  1 main   R   0:01 1 n1
>  2 main   PD  0:00 1 (Licenses)
>  3 main   R   0:01 1 n2
>  4 main   PD  0:00 1 (Reservation)
>  5 main   PD  0:00 1 (Reservation)
at 2s show plan
> 2 at 400s on n1 until 600s
> 4 at 100s on n1 until 300s
> 5 at 300s on n1 until 400s
at 2s show licenses
> a 3 of 4
> b 0 of 2
>  job 1 has a:2
>  job 3 has a:1
at 101s show jobs
> at 41s job 1 COMPLETED
> at 41s terminate job 1 on n1
> at 100s launch job 4 on n1
>  2 main   PD  0:00 1 (Licenses)
>  3 main   R   1:40 1 n2
>  4 main   R   0:01 1 n1
>  5 main   PD  0:00 1 (Licenses)
at 101s show licenses
> a 3 of 4
> b 0 of 2
>  job 3 has a:1
>  job 4 has a:2
at 125s show jobs
> at 120s job 4 COMPLETED
> at 120s terminate job 4 on n1
> at 120.001s launch job 5 on n1
>  2 main   PD  0:00 1 (Licenses)
>  3 main   R   2:04 1 n2
>  5 main   R   0:04 1 n1
at 125s show licenses
> a 3 of 4
> b 1 of 2
>  job 3 has a:1
>  job 5 has a:2,b:1
at 399s show jobs
> at 140.001s job 5 COMPLETED
> at 140.001s terminate job 5 on n1
> at 181s job 3 COMPLETED
> at 181s terminate job 3 on n2
>  2 main   PD  0:00 1 (Licenses)
at 401s show jobs
> at 400s launch job 2 on n1
>  2 main   R   0:01 1 n1
at 401s show licenses
> a 2 of 4
> b 0 of 2
>  job 2 has a:2
at 500s show jobs
> at 440s job 2 COMPLETED
> at 440s terminate job 2 on n1
It may be deleted, and all is free at once.
at 600s reserve ReservationName=t StartTime=now Duration=5 Users=user Nodes=n1 Licenses=a:4,b:2
> reservation t
at 600s submit -L b -t 100s --runs 10s
> job 6
at 601s show jobs
>  6 main   PD  0:00 1 (Licenses)
at 601s unreserve t
> at 601s launch job 6 on n1
at 602s show jobs
>  6 main   R   0:01 1 n1
