A reservation that is deleted while jobs wait for it: as at its end those that have no other are held; while jobs run in it it stays.
conf
SelectType=select/linear
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s reserve ReservationName=a StartTime=now+1000 Duration=2 Users=user Nodes=n1
> reservation a
at 1s reserve ReservationName=b StartTime=now+2000 Duration=2 Users=user Nodes=n2
> reservation b
at 1s reserve ReservationName=c StartTime=now+1000 Duration=2 Users=user Nodes=n3 Flags=NO_HOLD_JOBS_AFTER
> reservation c
at 2s submit --reservation a -N1 -t 1m --runs 20s
> job 1
at 2s submit --reservation a,b -N1 -t 1m --runs 20s
> job 2
at 2s submit --reservation a -N1 -t 1m --array 1-2 --runs 20s
> job 3
at 2s submit --reservation c -N1 -t 1m --runs 20s
> job 4
at 2s submit --reservation a -N1 -t 1m --runs 20s : -N1
> job 5, with components up to 6
at 3s unreserve a
at 4s unreserve c
> at 4s launch job 4 on n1
at 5s show jobs
>  1 main   PD  0:00 1 (ReservationDeleted)
>  2 main   PD  0:00 1 (Reservation)
> 3_[1-2] main   PD  0:00 1 (ReservationDeleted)
>  4 main   R   0:01 1 n1
>  5 main   PD  0:00 1 (ReservationDeleted)
>  6 main   PD  0:00 1 (JobHeldUser)
at 6s kill
at 7s show jobs
>  1 main   PD  0:00 1 (ReservationDeleted)
>  2 main   PD  0:00 1 (Reservation)
> 3_[1-2] main   PD  0:00 1 (ReservationDeleted)
>  4 main   R   0:03 1 n1
>  5 main   PD  0:00 1 (ReservationDeleted)
>  6 main   PD  0:00 1 (JobHeldUser)
at 7s show reservations
> b INACTIVE from 2001s until 2121s on n2 SPEC_NODES
at 8s release 1
> at 8s launch job 1 on n2
at 2003s unreserve b
> at 24s job 4 COMPLETED
> at 24s terminate job 4 on n1
> at 28s job 1 COMPLETED
> at 28s terminate job 1 on n2
> at 2001s launch job 2 on n2
> refused: Requested reservation is in use
at 2003s show job 2
> job 2 RUNNING Reason=None Priority=4294901758 Restarts=0 RunTime=00:00:02 Nodes=n2 CPUs=1 Exit=0:0 Reservation=b
at 2100s unreserve b
> at 2021s job 2 COMPLETED
> at 2021s terminate job 2 on n2
at 2101s show jobs
> 3_[1-2] main   PD  0:00 1 (ReservationDeleted)
>  5 main   PD  0:00 1 (ReservationDeleted)
>  6 main   PD  0:00 1 (JobHeldUser)
