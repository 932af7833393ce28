What jobs are told that reservations keep waiting, and those that were sent back with a hold.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
PartitionName=two Nodes=n[3-4] MaxTime=INFINITE
end
A reservation of all nodes lies ahead: a job that is done by then runs.
at 0s reserve ReservationName=m StartTime=now+600 Duration=10 Users=other Nodes=ALL Flags=MAINT
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> reservation m
at 1s submit -N1 -t 3600s --runs 10s
> job 1
at 1s submit -N1 -w n2 -t 3600s --runs 10s
> job 2
at 1s submit -N1 -t 300s --runs 10s
> job 3
> at 1s launch job 3 on n1
at 2s show jobs
>  1 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
>  2 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
>  3 main   R   0:01 1 n1
at 3s unreserve m
> at 3s launch job 1 on n2
at 4s show jobs
>  1 main   R   0:01 1 n2
>  2 main   PD  0:00 1 (Resources)
>  3 main   R   0:03 1 n1
One is under way on n1: a job that names it, and one that needs all.
at 100s reserve ReservationName=p StartTime=now Duration=10 Users=other Nodes=n1
> at 11s job 3 COMPLETED
> at 11s terminate job 3 on n1
> at 13s job 1 COMPLETED
> at 13s terminate job 1 on n2
> at 13.001s launch job 2 on n2
> at 23.001s job 2 COMPLETED
> at 23.001s terminate job 2 on n2
> reservation p
at 101s submit -N1 -w n1 -t 60s --runs 10s
> job 4
at 101s submit -N4 -t 60s --runs 10s
> job 5
at 102s show jobs
>  4 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  5 main   PD  0:00 4 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
at 103s unreserve p
> at 103s launch job 4 on n1
at 120s show jobs
> at 113s job 4 COMPLETED
> at 113s terminate job 4 on n1
> at 113.001s launch job 5 on n1
>  5 main   R   0:06 4 n[1-4]
Where others run these are waited for.
at 200s submit -N4 -t 100s --runs 100s
> at 123.001s job 5 COMPLETED
> at 123.001s terminate job 5 on n1
> job 6
> at 200s launch job 6 on n1
at 201s reserve ReservationName=q StartTime=now+1000 Duration=10 Users=other Nodes=n1
> reservation q
at 202s submit -N1 -t 60s --runs 10s
> job 7
at 203s show jobs
>  6 main   R   0:03 4 n[1-4]
>  7 main   PD  0:00 1 (Resources)
at 203s unreserve q
at 400s show jobs
> at 300s job 6 COMPLETED
> at 300s terminate job 6 on n1
> at 300s launch job 7 on n2
> at 310s job 7 COMPLETED
> at 310s terminate job 7 on n2
The nodes that a job names are taken out of its partition, and come back.
at 500s submit -p two -w n3 -t 60s --runs 10s --hold
> job 8
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
PartitionName=two Nodes=n4 MaxTime=INFINITE
end
at 501s release 8
at 502s show jobs
>  8 two    PD  0:00 1 (BadConstraints)
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
PartitionName=two Nodes=n[3-4] MaxTime=INFINITE
end
> at 502s launch job 8 on n3
at 503s show jobs
>  8 two    R   0:01 1 n3
Sent back with a hold.
at 600s submit -N2 -t 60s --runs 50s --requeue
> at 512s job 8 COMPLETED
> at 512s terminate job 8 on n3
> job 9
> at 600s launch job 9 on n1
at 601s requeuehold 9
> at 601s job 9 is requeued
> at 601s terminate job 9 on n1
at 602s show jobs
>  9 main   PD  0:00 2 (job requeued in held state)
at 603s release 9
> at 603s launch job 9 on n1
at 604s show jobs
>  9 main   R   0:01 2 n[1-2]
at 604s hold 9
at 700s show jobs
> at 653s job 9 COMPLETED
> at 653s terminate job 9 on n1
