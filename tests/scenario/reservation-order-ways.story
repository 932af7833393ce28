A heterogeneous job that waits behind others in one of its reservations holds up others where it has been tried.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
NodeName=n[1-3] CPUs=4
PartitionName=main Nodes=n[1,3] Default=YES MaxTime=INFINITE
PartitionName=a Nodes=n2 MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=3000 Users=user Nodes=n1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> reservation r
at 0s reserve ReservationName=s StartTime=now Duration=3000 Users=user Nodes=n3
> reservation s
at 1s submit --reservation s -n3 -t 10m --runs 100s
> job 1
> at 1s launch job 1 on n3
at 1s submit --reservation s -n4 -t 10m --runs 10s
> job 2
at 1s submit -p a -n3 -t 10m --runs 50s
> job 3
> at 1s launch job 3 on n2
at 2s submit --reservation r,s -n1 -t 10m --runs 10s : -n4 -p a
> job 4, with components up to 5
at 3s submit -n1 -p a -t 10m --runs 500s
> job 6
at 4s show jobs
>  1 main   R   0:03 1 n3
>  2 main   PD  0:00 1 (Resources)
>  3 a      R   0:03 1 n2
>  4 main   PD  0:00 1 (Resources)
>  5 a      PD  0:00 1 (Resources)
>  6 a      PD  0:00 1 (Priority)
at 60s show jobs
> at 51s job 3 COMPLETED
> at 51s terminate job 3 on n2
> at 51.001s launch job 4 on n1
>  1 main   R   0:59 1 n3
>  2 main   PD  0:00 1 (Resources)
>  4 main   R   0:08 1 n1
>  5 a      R   0:08 1 n2
>  6 a      PD  0:00 1 (Resources)
