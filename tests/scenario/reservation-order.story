Strictly in order inside of a reservation, too: a job that waits there keeps later ones of its partition in it waiting, but none outside, nor those in another reservation.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE
PartitionName=other Nodes=n[1-2] MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=300 Users=user Nodes=n1 CoreCnt=2
> at 0s n1 registers
> at 0s n2 registers
> reservation r
at 0s reserve ReservationName=s StartTime=now Duration=300 Users=user Nodes=n2 CoreCnt=2
> reservation s
at 1s submit --reservation r -n1 -t 10m --runs 300s
> job 1
> at 1s launch job 1 on n1
at 1s submit --reservation r -n2 -t 10m --runs 10s
> job 2
at 1s submit --reservation r -n1 -t 60m --runs 3000s
> job 3
at 1s submit --reservation r -n1 -t 60m --runs 3000s -p other
> job 4
at 1s submit --reservation s -n1 -t 60m --runs 3000s
> job 5
> at 1s launch job 5 on n2
at 1s submit -n2 -t 60m --runs 3000s
> job 6
> at 1s launch job 6 on n1
at 2s show jobs
>  1 main   R   0:01 1 n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   PD  0:00 1 (Priority)
>  4 other  PD  0:00 1 (Resources)
>  5 main   R   0:01 1 n2
>  6 main   R   0:01 1 n1
at 2s submit --reservation r,s -n1 -t 60m --runs 3000s
> job 7
> at 2s launch job 7 on n2
at 3s show jobs
>  1 main   R   0:02 1 n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   PD  0:00 1 (Priority)
>  4 other  PD  0:00 1 (Resources)
>  5 main   R   0:02 1 n2
>  6 main   R   0:02 1 n1
>  7 main   R   0:01 1 n2
at 320s show jobs
> at 301s job 1 COMPLETED
> at 301s terminate job 1 on n1
> at 301.001s launch job 2 on n1
> at 311.001s job 2 COMPLETED
> at 311.001s terminate job 2 on n1
> at 311.002s launch job 3 on n1
> at 311.002s launch job 4 on n1
>  3 main   R   0:08 1 n1
>  4 other  R   0:08 1 n1
>  5 main   R   5:19 1 n2
>  6 main   R   5:19 1 n1
>  7 main   R   5:18 1 n2
at 340s submit --reservation r -n2 -t 60m --runs 10s
> job 8
at 341s submit --reservation r -n1 -t 60m --runs 10s
> job 9
at 342s show jobs
>  3 main   R   0:30 1 n1
>  4 other  R   0:30 1 n1
>  5 main   R   5:41 1 n2
>  6 main   R   5:41 1 n1
>  7 main   R   5:40 1 n2
>  8 main   PD  0:00 1 (Resources)
>  9 main   PD  0:00 1 (Priority)
