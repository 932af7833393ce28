No user is left of a reservation's: its accounts alone restrict it.  Taken off once more, a user is kept out.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-3] CPUs=1
PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s reserve ReservationName=s StartTime=now Duration=1000 Users=user Accounts=a Nodes=n1
> reservation s
at 1s reserve update=s Users-=user
at 1s show reservations
> s ACTIVE from 0s until 60000s on n1 SPEC_NODES
at 1s submit --reservation s -A a -t 10m --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit --uid=1001 --user=other --reservation s -A b -t 10m --runs 100s
> refused: Access denied to requested reservation
at 2s reserve update=s Users-=user
at 2s submit --reservation s -A a -t 10m --runs 100s
> refused: Access denied to requested reservation
at 2s submit --uid=1001 --user=other --reservation s -A a -t 10m --runs 10s
> job 2
at 3s reserve update=s Users-=user,other
at 3s reserve update=s Users-=-other
> refused: Invalid update specification (Users=-other: a list of names without signs was expected)
at 3s reserve update=s Accounts-=a
at 3s reserve update=s Users=
> refused: Reservation request lacks users, groups or accounts
at 3s submit --uid=1001 --user=other --reservation s -t 10m --runs 10s
> job 3
at 200s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101.001s launch job 2 on n1
> at 111.001s job 2 COMPLETED
> at 111.001s terminate job 2 on n1
> at 111.002s launch job 3 on n1
> at 121.002s job 3 COMPLETED
> at 121.002s terminate job 3 on n1
