--signal=R: a job may run on nodes of any reservation with a MaxStartDelay of at least its signal's time; a job of the
reservation preempts it, whatever PreemptType is, and it has that time to end.
conf
SelectType=select/linear
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now+100 Duration=100 Users=user Nodes=n[1,4] MaxStartDelay=2
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> reservation r
at 0s reserve ReservationName=none StartTime=now Duration=100 Users=user Nodes=n3
> reservation none
at 0s submit --uid=1001 --user=other -w n1 -t 30m --signal R:10@60s --runs 1500s
> job 1
> at 0s launch job 1 on n1
at 0s submit --uid=1001 --user=other -w n3 -t 30m --signal R:10@60s --runs 100s
> job 2
at 0s submit --uid=1001 --user=other -w n2 -t 1m --runs 1s
> job 3
> at 0s launch job 3 on n2
The reservation begins, and nothing happens to job 1; none lends its nodes without MaxStartDelay.
at 200s show jobs
> at 1s job 3 COMPLETED
> at 1s terminate job 3 on n2
>  1 main   R   3:20 1 n1
>  2 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
MaxStartDelay is less than the signal's time: it may not.
at 200s submit --uid=1001 --user=other -w n4 -t 30m --signal R:10@121s --runs 100s
> job 4
at 200s submit --uid=1001 --user=other -w n4 -t 30m --signal 10@60s --runs 100s
> job 5
at 201s show jobs
>  1 main   R   3:21 1 n1
>  2 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  4 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  5 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
A job of the reservation comes.
at 300s submit --reservation r -w n1 -t 5m --runs 30s
> job 6
> at 300s signal job 1 on n1
> at 300s signal job 1 on n1
at 300s show jobs
>  1 main   R   5:00 1 n1
>  2 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  4 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  5 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  6 main   PD  0:00 1 (Resources)
at 600s show jobs
> at 360s job 1 is requeued
> at 360s terminate job 1 on n1
> at 360.001s launch job 6 on n1
> at 390.001s job 6 COMPLETED
> at 390.001s terminate job 6 on n1
> at 481s launch job 1 on n1
>  1 main   R   1:59 1 n1
>  2 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  4 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  5 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
It takes back what it has lent also from a job that is exempt from preemption, by its priority and because it has not run for long.
conf
SelectType=select/linear
PreemptExemptTime=1:00:00
PreemptParameters=min_exempt_priority=1000
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 700s submit --reservation r -w n1 -t 5m --runs 30s
> job 7
> at 700s signal job 1 on n1
> at 700s signal job 1 on n1
at 800s show jobs
> at 760s job 1 is requeued
> at 760s terminate job 1 on n1
> at 760.001s launch job 7 on n1
> at 790.001s job 7 COMPLETED
> at 790.001s terminate job 7 on n1
>  1 main   PD  0:00 1 (BeginTime)
>  2 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  4 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  5 main   PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
