All that a reservation keeps waiting are told so, not only the first in the queue; one that would have to wait for its turn anyhow is told that.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=2
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 0s reserve ReservationName=m StartTime=now+600 Duration=10 Users=other Nodes=ALL Flags=MAINT
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> reservation m
at 1s submit -N1 -n2 -t 3600s --runs 10s
> job 1
at 1s submit -N1 -n2 -t 3600s --runs 10s
> job 2
at 1s submit -N3 -n6 -t 1800s --runs 10s
> job 3
at 1s submit -N1 -n2 -t 300s --runs 100s
> job 4
> at 1s launch job 4 on n1
at 1s submit -N4 -n8 -t 300s --runs 10s
> job 5
at 1s submit -N1 -n2 -w n1 -t 3600s --runs 10s
> job 6
at 1s submit -N1 -n2 -w n2 -t 3600s --runs 10s
> job 7
at 2s show jobs
>  1 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
>  2 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
>  3 main   PD  0:00 3 (ReqNodeNotAvail, Reserved for maintenance)
>  4 main   R   0:01 1 n1
>  5 main   PD  0:00 4 (Priority)
>  6 main   PD  0:00 1 (Priority)
>  7 main   PD  0:00 1 (ReqNodeNotAvail, Reserved for maintenance)
at 3s unreserve m
> at 3s launch job 1 on n2
> at 3s launch job 2 on n3
at 4s show jobs
>  1 main   R   0:01 1 n2
>  2 main   R   0:01 1 n3
>  3 main   PD  0:00 3 (Resources)
>  4 main   R   0:03 1 n1
>  5 main   PD  0:00 4 (Priority)
>  6 main   PD  0:00 1 (Priority)
>  7 main   PD  0:00 1 (Priority)

One is under way on some nodes: a job that names one of them.
at 500s reserve ReservationName=p StartTime=now Duration=10 Users=other Nodes=n1
> at 13s job 1 COMPLETED
> at 13s terminate job 1 on n2
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n3
> at 13.001s launch job 3 on n2
> at 23.001s job 3 COMPLETED
> at 23.001s terminate job 3 on n2
> at 101s job 4 COMPLETED
> at 101s terminate job 4 on n1
> at 101.001s launch job 5 on n1
> at 111.001s job 5 COMPLETED
> at 111.001s terminate job 5 on n1
> at 111.001s launch job 7 on n2
> at 111.002s launch job 6 on n1
> at 121.001s job 7 COMPLETED
> at 121.001s terminate job 7 on n2
> at 121.002s job 6 COMPLETED
> at 121.002s terminate job 6 on n1
> reservation p
at 501s submit -N4 -n8 -t 60s --runs 10s
> job 8
at 501s submit -N1 -w n1 -t 60s --runs 10s
> job 9
at 501s submit -N1 -w n1 -t 60s --runs 10s
> job 10
at 502s show jobs
>  8 main   PD  0:00 4 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  9 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
> 10 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
