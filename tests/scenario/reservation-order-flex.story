Nodes of a reservation with FLEX that a job waits for there are not for jobs of lower tiers.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE PriorityTier=2
PartitionName=other Nodes=n1 MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=300 Users=user Nodes=n1 Flags=FLEX
> at 0s n1 registers
> at 0s n2 registers
> reservation r
at 1s submit --reservation r -n3 -t 10m --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit --reservation r -n2 -t 10m --runs 10s
> job 2
at 3s submit --reservation r -n1 -t 60m --runs 3000s -p other
> job 3
at 4s show jobs
>  1 main   R   0:03 1 n1
>  2 main   PD  0:00 1 (Resources)
>  3 other  PD  0:00 1 (Resources)
