Reservations of cores (CoreCnt) in the plan: a job that waits inside will have its cores, one that waits outside the others, so neither keeps the
other from starting, for however long; but for a job that would run beyond the reservation, or wants memory that counts.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE
end
at 1s reserve ReservationName=r StartTime=now Duration=1000 Users=user Nodes=n1 CoreCnt=2
> at 0s n1 registers
> at 0s n2 registers
> reservation r
Inside one runs and one waits.
at 2s submit --reservation r -n2 -t 60m --runs 100s
> job 1
> at 2s launch job 1 on n1
at 3s submit --reservation r -n2 -t 60m --runs 100s
> job 2
Outside one that wants a whole node keeps others from starting but by backfill.
at 4s submit -n4 -w n2 -t 60m --runs 3000s
> job 3
> at 4s launch job 3 on n2
at 5s submit -N1 --exclusive -t 60m --runs 100s
> job 4
at 6s show plan
> 2 at 3602s on n1 until 7202s
> 4 at 3604s on n2 until 7204s
The rest of n1 is free for long.
at 7s submit -n2 -t 120m --runs 300s
> job 5
> at 7s launch job 5 on n1
One that waits outside does not keep a job that comes inside later from its cores either, nor does the one inside delay that one.
at 8s show jobs
>  1 main   R   0:06 1 n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   R   0:04 1 n2
>  4 main   PD  0:00 1 (Resources)
>  5 main   R   0:01 1 n1
at 110s show plan
> at 102s job 1 COMPLETED
> at 102s terminate job 1 on n1
> at 102.001s launch job 2 on n1
> 4 at 3604s on n2 until 7204s
