Backfill (sched/backfill, conservative): every waiting job has a place in the plan, small ones go first where they delay
none, reasons follow their causes.
conf
SelectType=select/linear
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N3 -t 100s --runs 50s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N4 -t 100s --runs 20s
> job 2
at 3s submit -N1 -t 200s --runs 10s
> job 3
at 4s submit -N1 -t 90s --runs 30s
> job 4
> at 4s launch job 4 on n4
at 5s submit -N2 -t 60s --runs 60s
> job 5
at 6s show plan
> 2 at 101s on n[1-4] until 201s
> 3 at 201s on n1 until 401s
> 5 at 201s on n[2-3] until 261s
at 7s show jobs
>  1 p      R   0:06 3 n[1-3]
>  2 p      PD  0:00 4 (Resources)
>  3 p      PD  0:00 1 (Priority)
>  4 p      R   0:03 1 n4
>  5 p      PD  0:00 2 (Priority)
The 4-node job would be delayed by 3, and is not by 4, which has a node to itself until then. An early end moves all up.
at 60s show plan
> at 34s job 4 COMPLETED
> at 34s terminate job 4 on n4
> at 51s job 1 COMPLETED
> at 51s terminate job 1 on n1
> at 51.001s launch job 2 on n1
> 3 at 151.001s on n1 until 351.001s
> 5 at 151.001s on n[2-3] until 211.001s
at 61s show jobs
>  2 p      R   0:09 4 n[1-4]
>  3 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 2 (Priority)
at 300s show jobs
> at 71.001s job 2 COMPLETED
> at 71.001s terminate job 2 on n1
> at 71.001s launch job 3 on n4
> at 71.001s launch job 5 on n2
> at 81.001s job 3 COMPLETED
> at 81.001s terminate job 3 on n4
> at 131.001s job 5 COMPLETED
> at 131.001s terminate job 5 on n2
A newcomer of higher rank comes first; those behind are planned anew.
conf
SelectType=select/linear
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=high Nodes=ALL PriorityTier=2 MaxTime=1000
end
at 301s submit -N4 -t 100s --runs 100s
> job 6
> at 301s launch job 6 on n1
at 302s submit -N4 -t 50s --runs 50s
> job 7
at 303s show plan
> 7 at 401s on n[1-4] until 451s
at 304s submit -p high -N4 -t 30s --runs 30s
> job 8
at 305s show plan
> 8 at 401s on n[1-4] until 431s
> 7 at 431s on n[1-4] until 481s
at 306s show jobs
>  6 p      R   0:05 4 n[1-4]
>  7 p      PD  0:00 4 (Resources)
>  8 high   PD  0:00 4 (Resources)
A job that is longer on its nodes than it said does not make the others change places.
at 600s show jobs
> at 401s job 6 COMPLETED
> at 401s terminate job 6 on n1
> at 401.001s launch job 8 on n1
> at 431.001s job 8 COMPLETED
> at 431.001s terminate job 8 on n1
> at 431.002s launch job 7 on n1
> at 481.002s job 7 COMPLETED
> at 481.002s terminate job 7 on n1
