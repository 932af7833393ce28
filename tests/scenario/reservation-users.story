Users that a reservation loses: a job that has named it and waits is not let in any more.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-3] CPUs=1
PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=60 Users=user,other Nodes=n1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> reservation r
at 0s reserve ReservationName=s StartTime=now Duration=60 Users=user Nodes=n2
> reservation s
at 1s submit --reservation r -t 1000s --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit --reservation r -t 1000s --runs 100s
> job 2
at 1s submit --reservation r,s -t 1000s --runs 300s
> job 3
> at 1s launch job 3 on n2
at 1s submit --reservation r,s -t 1000s --runs 100s
> job 4
at 2s show jobs
>  1 main   R   0:01 1 n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   R   0:01 1 n2
>  4 main   PD  0:00 1 (Resources)
Job 2 has a plan until its user is taken off; job 4 goes where it still may.
at 10s reserve update=r Users=-user
at 11s show jobs
>  1 main   R   0:10 1 n1
>  2 main   PD  0:00 1 (Reservation)
>  3 main   R   0:10 1 n2
>  4 main   PD  0:00 1 (Resources)
at 290s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
>  2 main   PD  0:00 1 (Reservation)
>  3 main   R   4:49 1 n2
>  4 main   PD  0:00 1 (Resources)
Let in again it starts.  The last user stays on the list.
at 400s reserve update=r Users=user,other
> at 301s job 3 COMPLETED
> at 301s terminate job 3 on n2
> at 301.001s launch job 4 on n2
> at 400s launch job 2 on n1
at 401s show jobs
>  2 main   R   0:01 1 n1
>  4 main   R   1:39 1 n2
at 600s reserve update=r Users=-other
> at 401.001s job 4 COMPLETED
> at 401.001s terminate job 4 on n2
> at 500s job 2 COMPLETED
> at 500s terminate job 2 on n1
at 600s submit --uid=1001 --user=other --reservation r -t 10s --runs 5s
> refused: Access denied to requested reservation
at 600s reserve update=r Users=-user
> refused: Reservation request lacks users, groups or accounts
at 600s submit --reservation r -t 10s --runs 5s
> job 5
> at 600s launch job 5 on n1
at 601s submit --reservation s -t 10s --runs 5s
> job 6
> at 601s launch job 6 on n2
