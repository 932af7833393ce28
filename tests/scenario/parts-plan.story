The plan knows parts of nodes: a job that needs some cores waits for those alone, and none behind it delays it, also beside it on one node.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n1 CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
A runs for ever, B for a minute at most: 3 needs what B leaves.
at 0s hush agents
> at 0s n1 registers
at 1s submit -n1 -c1
> job 1
> at 1s launch job 1 on n1
at 1s submit -n1 -c2 -t 60s --runs 12s
> job 2
> at 1s launch job 2 on n1
at 2s submit -n1 -c3 -t 300s --runs 30s
> job 3
at 4s submit -n1 -c1 -t 1h --runs 1000s
> job 4
at 4s submit -n1 -c1 -t 57s --runs 5s
> job 5
> at 4s launch job 5 on n1
at 4s submit -n1 -c1 -t 1h --runs 1000s
> job 6
at 4s submit -n1 -c1 -t 1h --runs 1000s
> job 7
at 5s show plan
> 3 at 61s on n1 until 361s
> 4 at 361s on n1 until 3961s
> 6 at 361s on n1 until 3961s
> 7 at 361s on n1 until 3961s
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:04 1 n1
>  3 p      PD  0:00 1 (Resources)
>  4 p      PD  0:00 1 (Priority)
>  5 p      R   0:01 1 n1
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 1 (Priority)
A new one would come behind them all.
at 5s estimate -n1 -c1 -t 600s
> in 01:05:56 on n1, 1 CPUs
at 5s estimate -n1 -c1 -t 50s
> in 01:05:56 on n1, 1 CPUs
at 5s estimate --exclusive -t 50s
> in 364-23:59:56 on n1, 4 CPUs
at 14s show jobs
> at 9s job 5 COMPLETED
> at 9s terminate job 5 on n1
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n1
> at 13.001s launch job 3 on n1
>  1 p      R   0:13 1 n1
>  3 p      R   0:00 1 n1
>  4 p      PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 1 (Priority)
at 100s show jobs
> at 43.001s job 3 COMPLETED
> at 43.001s terminate job 3 on n1
> at 43.002s launch job 4 on n1
> at 43.002s launch job 6 on n1
> at 43.002s launch job 7 on n1
>  1 p      R   1:39 1 n1
>  4 p      R   0:56 1 n1
>  6 p      R   0:56 1 n1
>  7 p      R   0:56 1 n1
