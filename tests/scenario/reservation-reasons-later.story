One reservation is under way on a node, another one lies ahead on all: each job is told of the one that keeps it waiting.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 0s reserve ReservationName=a StartTime=now Duration=20 Users=other Nodes=n1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> reservation a
at 0s reserve ReservationName=m StartTime=now+600 Duration=10 Users=other Nodes=n[2-4] Flags=MAINT
> reservation m
at 1s submit -N1 -w n1 -t 3600s --runs 10s
> job 1
at 1s submit -N1 -w n3 -t 3600s --runs 10s
> job 2
at 1s submit -N1 -t 3600s --runs 10s
> job 3
at 1s submit -N1 -w n4 -t 3600s --runs 10s
> job 4
at 2s show jobs
>  1 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  2 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
>  3 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
>  4 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
