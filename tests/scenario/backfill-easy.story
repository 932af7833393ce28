SchedulerParameters=bf_easy: one place in the plan, for the first that must wait; the others start if they are not in its way.
conf
SelectType=select/linear
SchedulerParameters=bf_easy
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N3 -t 100s --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N4 -t 100s --runs 100s
> job 2
at 3s submit -N2 -t 100s --runs 100s
> job 3
at 4s submit -N1 -t 200s --runs 10s
> job 4
at 5s submit -N1 -t 90s --runs 30s
> job 5
> at 5s launch job 5 on n4
at 6s show plan
> 2 at 101s on n[1-4] until 201s
> 3 is not planned
> 4 is not planned
at 7s show jobs
>  1 p      R   0:06 3 n[1-3]
>  2 p      PD  0:00 4 (Resources)
>  3 p      PD  0:00 2 (Priority)
>  4 p      PD  0:00 1 (Priority)
>  5 p      R   0:02 1 n4
at 150s show plan
> at 35s job 5 COMPLETED
> at 35s terminate job 5 on n4
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101.001s launch job 2 on n1
> 3 at 201.001s on n[1-2] until 301.001s
> 4 is not planned
at 500s show jobs
> at 201.001s job 2 COMPLETED
> at 201.001s terminate job 2 on n1
> at 201.001s launch job 3 on n2
> at 201.001s launch job 4 on n4
> at 211.001s job 4 COMPLETED
> at 211.001s terminate job 4 on n4
> at 301.001s job 3 COMPLETED
> at 301.001s terminate job 3 on n2
sched/builtin: strictly in order, and no plan.
conf
SelectType=select/linear
SchedulerType=sched/builtin
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 501s submit -N3 -t 100s --runs 100s
> job 6
> at 501s launch job 6 on n1
at 502s submit -w n1 -t 100s --runs 10s
> job 7
at 503s submit -N1 -t 10s --runs 10s
> job 8
at 504s show plan
> 7 is not planned
> 8 is not planned
at 505s show jobs
>  6 p      R   0:04 3 n[1-3]
>  7 p      PD  0:00 1 (Resources)
>  8 p      PD  0:00 1 (Priority)
at 900s show jobs
> at 601s job 6 COMPLETED
> at 601s terminate job 6 on n1
> at 601.001s launch job 7 on n1
> at 601.001s launch job 8 on n2
> at 611.001s job 7 COMPLETED
> at 611.001s terminate job 7 on n1
> at 611.001s job 8 TIMEOUT
> at 611.001s terminate job 8 on n2
bf_easy again. When the job with the place has started, the next waiting job gets a place: the last job would delay it.
conf
SelectType=select/linear
SchedulerParameters=bf_easy
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 901s submit -N3 -t 10s --runs 10s
> job 9
> at 901s launch job 9 on n1
at 902s submit -N4 -t 10s --runs 10s
> job 10
at 950s submit -N2 -t 50s --runs 50s
> at 911s job 9 COMPLETED
> at 911s terminate job 9 on n1
> at 911.001s launch job 10 on n1
> at 921.001s job 10 COMPLETED
> at 921.001s terminate job 10 on n1
> job 11
> at 950s launch job 11 on n1
at 960s submit -N4 -t 50s --runs 5s
> job 12
at 960s submit -N1 -t 100s --runs 30s
> job 13
at 961s show jobs
> 11 p      R   0:11 2 n[1-2]
> 12 p      PD  0:00 4 (Resources)
> 13 p      PD  0:00 1 (Priority)
