A job that may be in several reservations, partitions, or outside of all waits behind others only where these wait, and what it held up goes on when it has started elsewhere.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
NodeName=n[1-3] CPUs=4
PartitionName=main Nodes=n1 Default=YES PriorityTier=2 MaxTime=INFINITE
PartitionName=other Nodes=n2 MaxTime=INFINITE
PartitionName=third Nodes=n3 MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=300 Users=user Nodes=n[1-2] CoreCnt=2,2
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> reservation r
at 1s submit --reservation r -n1 -t 10m --runs 300s
> job 1
> at 1s launch job 1 on n1
Job 3 waits in main before it starts in other: job 4, behind it in main, does not wait for it.
at 1s submit --reservation r -n2 -t 10m --runs 1s -p other
> job 2
> at 1s launch job 2 on n2
at 1s submit --reservation r -n2 -t 10m --runs 100s -p main,other
> job 3
at 1s submit --reservation r -n1 -t 60m --runs 100s
> job 4
at 2s show jobs
> at 2s job 2 COMPLETED
> at 2s terminate job 2 on n2
>  1 main   R   0:01 1 n1
>  2 other  CG  0:01 1 n2
>  3 main   PD  0:00 1 (Resources)
>  4 main   PD  0:00 1 (Priority)
at 3s show jobs
> at 2.001s launch job 3 on n2
> at 2.001s launch job 4 on n1
>  1 main   R   0:02 1 n1
>  3 other  R   0:00 1 n2
>  4 main   R   0:00 1 n1
Components: a leader in the reservation waits behind others there, and others behind it.
at 10s submit --reservation r -n2 -t 10m --runs 10s : -n1 -p third
> job 5, with components up to 6
at 10s submit --reservation r -n1 -t 10m --runs 10s : -n1 -p third
> job 7, with components up to 8
at 11s submit --reservation r -n1 -t 10m --runs 10s
> job 9
at 11s submit -n1 -t 10m --runs 10s
> job 10
> at 11s launch job 10 on n1
at 12s show jobs
>  1 main   R   0:11 1 n1
>  3 other  R   0:09 1 n2
>  4 main   R   0:09 1 n1
>  5 main   PD  0:00 1 (Resources)
>  6 third  PD  0:00 1 (Resources)
>  7 main   PD  0:00 1 (Priority)
>  8 third  PD  0:00 1 (Priority)
>  9 main   PD  0:00 1 (Priority)
> 10 main   R   0:01 1 n1
at 400s show jobs
> at 21s job 10 COMPLETED
> at 21s terminate job 10 on n1
> at 102.001s job 3 COMPLETED
> at 102.001s terminate job 3 on n2
> at 102.001s job 4 COMPLETED
> at 102.001s terminate job 4 on n1
> at 301s job 1 COMPLETED
> at 301s terminate job 1 on n1
> at 301.001s launch job 5 on n1
> at 311.001s job 5 COMPLETED
> at 311.001s terminate job 5 on n1
> at 311.001s job 6 COMPLETED
> at 311.002s launch job 7 on n1
> at 311.002s launch job 9 on n1
> at 321.002s job 7 COMPLETED
> at 321.002s terminate job 7 on n1
> at 321.002s job 8 COMPLETED
> at 321.002s job 9 COMPLETED
> at 321.002s terminate job 9 on n1
MAGNETIC: jobs that do not ask; what is too large for what is left of the reservation goes on outside.
at 400s reserve ReservationName=m StartTime=now Duration=300 Users=user Nodes=n3 CoreCnt=2 Flags=MAGNETIC
> reservation m
at 401s submit -n1 -t 10m --runs 300s -p third
> job 11
> at 401s launch job 11 on n3
at 401s submit -n2 -t 10m --runs 10s -p third
> job 12
> at 401s launch job 12 on n3
at 401s submit -n1 -t 10m --runs 10s -p third
> job 13
> at 401s launch job 13 on n3
at 402s show jobs
> 11 third  R   0:01 1 n3
> 12 third  R   0:01 1 n3
> 13 third  R   0:01 1 n3
at 402s submit -n2 -t 10m --runs 10s -p third
> job 14
at 402s submit -n1 -t 10m --runs 10s -p third
> job 15
at 403s show jobs
> 11 third  R   0:02 1 n3
> 12 third  R   0:02 1 n3
> 13 third  R   0:02 1 n3
> 14 third  PD  0:00 1 (Resources)
> 15 third  PD  0:00 1 (Priority)
at 900s show jobs
> at 411s job 12 COMPLETED
> at 411s terminate job 12 on n3
> at 411s job 13 COMPLETED
> at 411s terminate job 13 on n3
> at 411.001s launch job 14 on n3
> at 411.001s launch job 15 on n3
> at 421.001s job 14 COMPLETED
> at 421.001s terminate job 14 on n3
> at 421.001s job 15 COMPLETED
> at 421.001s terminate job 15 on n3
> at 701s job 11 COMPLETED
> at 701s terminate job 11 on n3
