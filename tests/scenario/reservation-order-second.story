A component has its second partition, whatever its leader holds up in a reservation when the first is full.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
NodeName=n[1-3] CPUs=4
PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=a Nodes=n2 MaxTime=INFINITE
PartitionName=b Nodes=n3 MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=300 Users=user Nodes=n1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> reservation r
at 1s submit -n4 -t 10m --runs 3000s -p a
> job 1
> at 1s launch job 1 on n2
at 2s submit --reservation r -n1 -t 10m --runs 10s : -n1 -p a,b
> job 2, with components up to 3
> at 2s launch job 2 on n1
at 3s show jobs
>  1 a      R   0:02 1 n2
>  2 main   R   0:01 1 n1
>  3 b      R   0:01 1 n3
at 100s show jobs
> at 12s job 2 COMPLETED
> at 12s terminate job 2 on n1
> at 12s job 3 COMPLETED
>  1 a      R   1:39 1 n2
