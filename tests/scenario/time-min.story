--time-min: backfill lowers a limit where the job starts earlier by that, to what is free there and no less than that.
conf
SelectType=select/linear
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=1000 DefaultTime=20
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N1 -t 60m --runs 30m
> job 1
> at 1s launch job 1 on n1
at 2s submit -N2 -t 30m --runs 5m
> job 2
at 3s show plan
> 2 at 3601s on n[1-2] until 5401s
n2 is free until 60 minutes have gone: one that could do with 20 gets what there is.
at 4s submit -N1 -t 100m --runs 10m --requeue
> job 3
at 5s submit -N1 -t 2h --time-min 20m --runs 70m --requeue
> job 4
> at 5s launch job 4 on n2
at 6s show jobs
>  1 p      R   0:05 1 n1
>  2 p      PD  0:00 2 (Resources)
>  3 p      PD  0:00 1 (Priority)
>  4 p      R   0:01 1 n2
at 6s show job 4
> job 4 RUNNING Reason=None Priority=4294901756 Restarts=0 RunTime=00:00:01 Nodes=n2 CPUs=1 Exit=0:0
It does not when even that is too long, and is planned as a whole.
at 20s submit -N1 -t 100m --time-min 61m --runs 10m
> job 5
at 21s show plan
> 2 at 3601s on n[1-2] until 5401s
> 3 at 5401s on n1 until 11401s
> 5 at 5401s on n2 until 11401s
Another run of it has what was asked for.
at 22s requeuehold 4
> at 22s job 4 is requeued
> at 22s terminate job 4 on n2
at 23s show job 4
> job 4 PENDING Reason=JobHeldUser job requeued in held state Priority=0 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 24s cancel 4
> at 24s job 4 CANCELLED
Time that frees up: the first of those that wait gets it, as short as it must.
at 2400s show jobs
> at 1801s job 1 COMPLETED
> at 1801s terminate job 1 on n1
> at 1801.001s launch job 2 on n1
> at 2101.001s job 2 COMPLETED
> at 2101.001s terminate job 2 on n1
> at 2101.001s launch job 5 on n2
> at 2101.002s launch job 3 on n1
>  3 p      R   4:58 1 n1
>  5 p      R   4:58 1 n2
at 6000s show jobs
> at 2701.001s job 5 COMPLETED
> at 2701.001s terminate job 5 on n2
> at 2701.002s job 3 COMPLETED
> at 2701.002s terminate job 3 on n1
More than the limit is refused; without --time it is the partition's.
at 12000s submit -N1 -t 10m --time-min 11m
> refused: Invalid time-min specification (exceeds job's time or other limits)
at 12000s submit -N1 --time-min 21m
> refused: Invalid time-min specification (exceeds job's time or other limits)
Planned in a gap that is long enough only so.
at 12060s submit -N1 -w n1 -t 10m --runs 10m
> job 6
> at 12060s launch job 6 on n1
at 12060s submit -N1 -w n2 -t 30m --runs 30m
> job 7
> at 12060s launch job 7 on n2
at 12120s submit -N2 -t 10m --runs 10m
> job 8
at 12120s submit -N1 -w n1 -t 30m --time-min 5m --runs 19m
> job 9
at 12180s submit -N1 -w n1 -t 15m --runs 15m
> job 10
at 12240s show plan
> 8 at 13860s on n[1-2] until 14460s
> 9 at 12660s on n1 until 12960s
> 10 at 12960s on n1 until 13860s
at 12720s show jobs
> at 12660s job 6 COMPLETED
> at 12660s terminate job 6 on n1
> at 12660.001s launch job 9 on n1
>  7 p      R  11:00 1 n2
>  8 p      PD  0:00 2 (Resources)
>  9 p      R   0:59 1 n1
> 10 p      PD  0:00 1 (Priority)
at 12720s show job 8
> job 8 PENDING Reason=Resources Priority=4294901752 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
Tasks of an array, each for itself.
at 18000s submit -N1 -w n1 -t 10m --runs 10m
> at 13800.001s job 9 COMPLETED
> at 13800.001s terminate job 9 on n1
> at 13860s job 7 COMPLETED
> at 13860s terminate job 7 on n2
> at 13860.001s launch job 8 on n1
> at 14460.001s job 8 COMPLETED
> at 14460.001s terminate job 8 on n1
> at 14460.002s launch job 10 on n1
> at 15360.002s job 10 COMPLETED
> at 15360.002s terminate job 10 on n1
> job 11
> at 18000s launch job 11 on n1
at 18000s submit -N2 -t 10m --runs 10m
> job 12
at 18060s submit -N1 -t 30m --time-min 4m --array 1-2 --runs 3m
> job 13
> at 18060s launch job 14 on n2
at 18120s show jobs
> 11 p      R   2:00 1 n1
> 12 p      PD  0:00 2 (Resources)
> 13_[2] p      PD  0:00 1 (Priority)
> 13_1 p      R   1:00 1 n2
at 18300s show jobs
> at 18240s job 14 COMPLETED
> at 18240s terminate job 14 on n2
> at 18240.001s launch job 13 on n2
> 11 p      R   5:00 1 n1
> 12 p      PD  0:00 2 (Resources)
> 13_2 p      R   0:59 1 n2
