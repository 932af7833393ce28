Flags=ANY_NODES (LICENSE_ONLY) with nodes: it keeps licenses and those nodes, and its jobs may have others as well.
conf
SelectType=select/linear
SchedulerType=sched/backfill
Licenses=a:4
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
A new one keeps no nodes for its NodeCnt; an empty Nodes= says nothing.
at 0s reserve ReservationName=c StartTime=now+100 Duration=5 Users=user Flags=LICENSE_ONLY Licenses=a:1 NodeCnt=2
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> reservation c
at 0s reserve ReservationName=z StartTime=now+100 Duration=5 Users=user Flags=LICENSE_ONLY Licenses=a:1 NodeCnt=0 Nodes=
> reservation z
at 0s reserve ReservationName=m StartTime=now+100 Duration=5 Users=user Flags=MAINT NodeCnt=1 Nodes=
> reservation m
at 1s show reservations
> c INACTIVE from 100s until 400s on  with a:1 ANY_NODES
> z INACTIVE from 100s until 400s on  with a:1 ANY_NODES
> m INACTIVE from 100s until 400s on n1 MAINT
An update gives it some, and takes them away.
at 1s reserve update=c NodeCnt=2
at 1s reserve update=z Nodes=n4
at 1s show reservations
> c INACTIVE from 100s until 400s on n[2-3] with a:1 ANY_NODES
> z INACTIVE from 100s until 400s on n4 with a:1 SPEC_NODES,ANY_NODES
> m INACTIVE from 100s until 400s on n1 MAINT
at 2s reserve update=c NodeCnt=0
at 2s reserve update=z NodeCnt=0
at 2s reserve update=m NodeCnt=2 Nodes=
at 2s show reservations
> c INACTIVE from 100s until 400s on  with a:1 ANY_NODES
> z INACTIVE from 100s until 400s on  with a:1 ANY_NODES
> m INACTIVE from 100s until 400s on n[1-2] MAINT
Its node is kept for its jobs, which go elsewhere too.
at 10s reserve ReservationName=r StartTime=now Duration=5 Users=user Flags=ANY_NODES Licenses=a:2 Nodes=n1
> reservation r
at 11s submit -w n1 -t 60s --runs 5s
> job 1
at 11s submit --reservation r -L a:1 -w n2 -t 60s --runs 5s
> job 2
> at 11s launch job 2 on n2
at 11s submit --reservation r -L a:1 -w n1 -t 60s --runs 5s
> job 3
> at 11s launch job 3 on n1
at 20s show jobs
> at 16s job 2 COMPLETED
> at 16s terminate job 2 on n2
> at 16s job 3 COMPLETED
> at 16s terminate job 3 on n1
>  1 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
