A reservation of cores has more of one node than of another that is built alike: each component gets what is enough.
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n1 CPUs=4 Weight=2
NodeName=n2 CPUs=4 Weight=1
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s reserve ReservationName=r StartTime=now Duration=1000 Users=user Nodes=n[1-2] CoreCnt=2,4
> reservation r
at 2s submit --reservation r -N1 -n1 -t 60m --runs 100s : --reservation r -N1 -n4 -t 60m
> job 1, with components up to 2
> at 2s launch job 1 on n1
at 3s show jobs
>  1 main   R   0:01 1 n1
>  2 main   R   0:01 1 n2
