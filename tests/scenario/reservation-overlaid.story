A job that waits in a reservation because one for maintenance has its nodes too is told so; one that waits for others in it is told of these.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-3] CPUs=1
PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE
end
at 0s reserve ReservationName=a StartTime=now Duration=100 Users=user Nodes=n[1-2]
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> reservation a
at 0s reserve ReservationName=m StartTime=now+600 Duration=10 Users=other Nodes=n2 Flags=MAINT,OVERLAP
> reservation m
at 1s submit --reservation a -t 60s --runs 300s
> job 1
> at 1s launch job 1 on n1
at 1s submit --reservation a -t 3600s --runs 10s
> job 2
at 1s submit --reservation a -w n2 -t 3600s --runs 10s
> job 3
at 1s submit --reservation a -w n1 -t 3600s --runs 10s
> job 4
at 2s show jobs
>  1 main   R   0:01 1 n1
>  2 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
>  3 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
>  4 main   PD  0:00 1 (Priority)
