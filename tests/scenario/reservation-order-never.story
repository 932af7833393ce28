A heterogeneous job that can never run holds up nobody in the reservations that it names.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
NodeName=n[1-3] CPUs=4
PartitionName=main Nodes=n[1,3] Default=YES MaxTime=INFINITE
PartitionName=a Nodes=n2 MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=300 Users=user Nodes=n1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> reservation r
at 0s reserve ReservationName=s StartTime=now Duration=300 Users=user Nodes=n3
> reservation s
at 1s submit --reservation r,s -n1 -t 10m --runs 10s : -n1 -p a : -n4 -p a
> job 1, with components up to 3
at 2s submit --reservation r -n1 -t 10m --runs 10s
> job 4
> at 2s launch job 4 on n1
at 2s submit --reservation s -n1 -t 10m --runs 10s
> job 5
> at 2s launch job 5 on n3
at 3s show jobs
>  1 main   PD  0:00 1 (BadConstraints)
>  2 a      PD  0:00 1 (BadConstraints)
>  3 a      PD  0:00 1 (BadConstraints)
>  4 main   R   0:01 1 n1
>  5 main   R   0:01 1 n3
at 1000s show jobs
> at 12s job 4 COMPLETED
> at 12s terminate job 4 on n1
> at 12s job 5 COMPLETED
> at 12s terminate job 5 on n3
>  1 main   PD  0:00 1 (BadConstraints)
>  2 a      PD  0:00 1 (BadConstraints)
>  3 a      PD  0:00 1 (BadConstraints)
