Components with --time-min: less time than they ask for, if all start earlier with that.
conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s submit -N1 -w n4 --exclusive -t 1h --runs 1h
> job 1
> at 0s launch job 1 on n4
at 1s submit -N4 --exclusive -t 1h --runs 1h
> job 2
Until the job of four nodes starts there is an hour for others: that is enough for the first two with what they must have, and they get as much as there is.
at 2s submit -N1 -t 3h --time-min 30m --runs 40m : -N1 -t 2h --time-min 10m
> job 3, with components up to 4
> at 2s launch job 3 on n1
at 3s show job 3
> job 3 RUNNING Reason=None Priority=4294901757 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=0:0
at 3s show jobs
>  1 p      R   0:03 1 n4
>  2 p      PD  0:00 4 (Resources)
>  3 p      R   0:01 1 n1
>  4 p      R   0:01 1 n2
One without it does not start then, and of a request with one such component none does.
at 4s submit -N1 -w n3 -t 3h --time-min 30m --runs 40m : -N1 -w n2 -t 2h
> job 5, with components up to 6
at 5s show plan
> 2 at 3600s on n[1-4] until 7200s
> 5 at 7200s on n3 until 18000s
> 6 at 7200s on n2 until 14400s
at 5s show jobs
>  1 p      R   0:05 1 n4
>  2 p      PD  0:00 4 (Resources)
>  3 p      R   0:03 1 n1
>  4 p      R   0:03 1 n2
>  5 p      PD  0:00 1 (Priority)
>  6 p      PD  0:00 1 (Priority)
When nodes become free before the planned time, they start with what is left until then.
at 6s show jobs
>  1 p      R   0:06 1 n4
>  2 p      PD  0:00 4 (Resources)
>  3 p      R   0:04 1 n1
>  4 p      R   0:04 1 n2
>  5 p      PD  0:00 1 (Priority)
>  6 p      PD  0:00 1 (Priority)
at 6s submit -N1 -w n1 -t 1h --time-min 15m --runs 10m : -N1 -w n3 -t 1h --time-min 5m
> job 7, with components up to 8
at 7s show plan
> 2 at 3600s on n[1-4] until 7200s
> 5 at 7200s on n3 until 18000s
> 7 at 18000s on n1 until 21600s
> 6 at 7200s on n2 until 14400s
> 8 at 18000s on n3 until 21600s
at 3700s show jobs
> at 2402s job 3 COMPLETED
> at 2402s terminate job 3 on n1
> at 2402s job 4 COMPLETED
> at 2402.001s launch job 7 on n1
> at 3002.001s job 7 COMPLETED
> at 3002.001s terminate job 7 on n1
> at 3002.001s job 8 COMPLETED
> at 3600s job 1 COMPLETED
> at 3600s terminate job 1 on n4
> at 3600.001s launch job 2 on n1
>  2 p      R   1:39 4 n[1-4]
>  5 p      PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (Resources)
