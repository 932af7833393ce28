A job in a reservation ends with it at the latest: so it has a place in what is left of it, whatever is planned for afterwards.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n1 CPUs=4
PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE
end
at 0s reserve ReservationName=s StartTime=now+1 Duration=100 Users=user Nodes=n1
> at 0s n1 registers
> reservation s
at 1s submit --reservation s -N1 -t 30m --runs 1800s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1 -t 5m --runs 100s
> job 2
at 2s submit --reservation s -N1 -t 120m --runs 9000s
> job 3
at 2s submit -N1 -t 60m --runs 100s
> job 4
at 3s show plan
> 2 at 6001s on n1 until 6301s
> 3 at 1801s on n1 until 6001s
> 4 at 6301s on n1 until 9901s
at 4s show jobs
>  1 main   R   0:03 1 n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   PD  0:00 1 (Resources)
>  4 main   PD  0:00 1 (Priority)
at 1900s show jobs
> at 1801s job 1 COMPLETED
> at 1801s terminate job 1 on n1
> at 1801.001s launch job 3 on n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   R   1:38 1 n1
>  4 main   PD  0:00 1 (Priority)
at 6400s show jobs
> at 6001s job 3 TIMEOUT
> at 6001s terminate job 3 on n1
> at 6001.001s launch job 2 on n1
> at 6101.001s job 2 COMPLETED
> at 6101.001s terminate job 2 on n1
> at 6101.002s launch job 4 on n1
> at 6201.002s job 4 COMPLETED
> at 6201.002s terminate job 4 on n1
