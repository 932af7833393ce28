The rest of an array keeps its place before others in a reservation when a task of it has started in another partition.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=other Nodes=n2 MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=300 Users=user Nodes=n[1-2] CoreCnt=2,2
> at 0s n1 registers
> at 0s n2 registers
> reservation r
at 1s submit --reservation r -n1 -t 10m --runs 300s
> job 1
> at 1s launch job 1 on n1
at 1s submit --reservation r -n2 -t 10m --runs 50s -p other
> job 2
> at 1s launch job 2 on n2
at 2s submit --reservation r -n2 -t 10m --runs 3000s -p main,other --array 1-3
> job 3
at 2s submit --reservation r -n1 -t 60m --runs 3000s -p main
> job 4
at 3s show jobs
>  1 main   R   0:02 1 n1
>  2 other  R   0:02 1 n2
> 3_[1-3] main   PD  0:00 1 (Resources)
>  4 main   PD  0:00 1 (Priority)
at 60s show jobs
> at 51s job 2 COMPLETED
> at 51s terminate job 2 on n2
> at 51.001s launch job 5 on n2
>  1 main   R   0:59 1 n1
> 3_[2-3] main   PD  0:00 1 (Resources)
>  4 main   PD  0:00 1 (Priority)
> 3_1 other  R   0:08 1 n2
at 400s show jobs
> at 301s job 1 COMPLETED
> at 301s terminate job 1 on n1
> at 301.001s launch job 6 on n1
> 3_[3] main   PD  0:00 1 (Resources)
>  4 main   PD  0:00 1 (Priority)
> 3_1 other  R   5:48 1 n2
> 3_2 main   R   1:38 1 n1
