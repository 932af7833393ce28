Two reservations of one license that begin together and end apart: each keeps its own for its jobs, and the plan has what is left.
conf
SelectType=select/linear
SchedulerType=sched/backfill
Licenses=lic:4
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s reserve ReservationName=a StartTime=now+100 Duration=2 Users=user Licenses=lic:3 Flags=ANY_NODES
> reservation a
at 1s reserve ReservationName=b StartTime=now+100 Duration=10 Users=user Licenses=lic:1 Flags=ANY_NODES
> reservation b
at 2s submit -N1 -L lic:2 -t 10m --runs 600s
> job 1
at 2s submit -N1 -L lic:2 -t 1m --runs 60s
> job 2
> at 2s launch job 2 on n1
at 2s submit -N1 -L lic:1 -t 10m --runs 600s
> job 3
at 2s submit -N1 -L lic:4 -t 1m --runs 60s
> job 4
at 2s submit -N1 -L lic:3 --reservation a -t 1m --runs 60s
> job 5
at 2s submit -N1 -L lic:1 --reservation b -t 5m --runs 60s
> job 6
at 2s submit -N1 -L lic:1 --reservation a -t 1m --runs 60s
> job 7
at 2s submit -N1 -L lic:2 --reservation b -t 1m --runs 60s
> refused: Invalid license specification (2 of license lic requested, 1 exist in reservation b)
at 3s show jobs
>  1 main   PD  0:00 1 (Licenses)
>  2 main   R   0:01 1 n1
>  3 main   PD  0:00 1 (Licenses)
>  4 main   PD  0:00 1 (Licenses)
>  5 main   PD  0:00 1 (Reservation)
>  6 main   PD  0:00 1 (Reservation)
>  7 main   PD  0:00 1 (Reservation)
at 3s show plan
> 1 at 221s on n1 until 821s
> 3 at 221s on n2 until 821s
> 4 at 821s on n1 until 881s
> 5 at 101s on n1 until 161s
> 6 at 101s on n3 until 401s
> 7 at 161s on n1 until 221s
at 110s show jobs
> at 62s job 2 COMPLETED
> at 62s terminate job 2 on n1
> at 101s launch job 5 on n1
> at 101s launch job 6 on n2
>  1 main   PD  0:00 1 (Licenses)
>  3 main   PD  0:00 1 (Licenses)
>  4 main   PD  0:00 1 (Licenses)
>  5 main   R   0:09 1 n1
>  6 main   R   0:09 1 n2
>  7 main   PD  0:00 1 (Licenses)
at 110s show licenses
> lic 4 of 4
>  job 5 has lic:3
>  job 6 has lic:1
at 110s show plan
> 1 at 221s on n1 until 821s
> 3 at 221s on n3 until 821s
> 4 at 821s on n1 until 881s
> 7 at 161s on n1 until 221s
at 2000s show jobs
> at 161s job 5 COMPLETED
> at 161s terminate job 5 on n1
> at 161s job 6 COMPLETED
> at 161s terminate job 6 on n2
> at 161.001s launch job 7 on n3
> at 221s job 7 TIMEOUT
> at 221s terminate job 7 on n3
> at 221s launch job 1 on n1
> at 221.001s launch job 3 on n2
> at 821s job 1 COMPLETED
> at 821s terminate job 1 on n1
> at 821.001s job 3 COMPLETED
> at 821.001s terminate job 3 on n2
> at 821.002s launch job 4 on n1
> at 881.002s job 4 COMPLETED
> at 881.002s terminate job 4 on n1
