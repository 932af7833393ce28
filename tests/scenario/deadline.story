--deadline: a job that cannot end by it any more is not started but ends as DEADLINE; one that asks for no time is cut short.
conf
SelectType=select/linear
NodeName=n1 CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=100
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -N1 -t 600s --runs 400s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1 -t 60s --deadline 600s
> job 2
at 3s submit -N1 -t 600s --deadline 300s
> job 3
> at 3s job 3 DEADLINE
at 4s submit -N1 --deadline 1000s --runs 2000s
> job 4
at 5s submit -N1 -t 60s --deadline 30s
> job 5
> at 5s job 5 DEADLINE
at 6s show jobs
>  1 p      R   0:05 1 n1
>  2 p      PD  0:00 1 (Resources)
>  4 p      PD  0:00 1 (Priority)
at 300s show jobs
>  1 p      R   4:59 1 n1
>  2 p      PD  0:00 1 (Resources)
>  4 p      PD  0:00 1 (Priority)
at 402s show jobs
> at 401s job 1 COMPLETED
> at 401s terminate job 1 on n1
> at 401.001s launch job 2 on n1
>  2 p      R   0:00 1 n1
>  4 p      PD  0:00 1 (Resources)
at 403s show job 4
> job 4 PENDING Reason=Resources Priority=4294901756 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 700s show jobs
> at 461.001s job 2 TIMEOUT
> at 461.001s terminate job 2 on n1
> at 461.002s launch job 4 on n1
>  4 p      R   3:58 1 n1
at 1100s show jobs
> at 1001.002s job 4 TIMEOUT
> at 1001.002s terminate job 4 on n1
at 1101s submit --array 0-3 -t 60s --deadline 130s --runs 50s
> job 6
> at 1101s launch job 7 on n1
at 1102s show jobs
> 6_[1-3] p      PD  0:00 1 (Resources)
> 6_0 p      R   0:01 1 n1
at 1300s show jobs
> at 1151s job 7 COMPLETED
> at 1151s terminate job 7 on n1
> at 1151.001s launch job 8 on n1
> at 1171s job 6 DEADLINE
> at 1201.001s job 8 COMPLETED
> at 1201.001s terminate job 8 on n1
With --time-min it is cut to what is left, and ends as DEADLINE only when that is not left either.
at 1400s submit -N1 -t 60m --time-min 10m --deadline 1210s --runs 70m
> job 9
> at 1400s launch job 9 on n1
at 1401s submit -N1 -t 60m --time-min 30m --deadline 1200s
> refused: Invalid time-min specification (exceeds job's time or other limits)
at 1402s submit -N1 -t 60m --time-min 30m --deadline 3600s --runs 70m
> job 10
at 2700s show jobs
> at 2600s job 9 TIMEOUT
> at 2600s terminate job 9 on n1
> at 2600.001s launch job 10 on n1
> 10 p      R   1:39 1 n1
at 6000s show jobs
> at 5000.001s job 10 TIMEOUT
> at 5000.001s terminate job 10 on n1
