Memory in the plan where nodes are shared by it: with cores.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n1 CPUs=8 RealMemory=1000
PartitionName=p Nodes=n1 Default=YES
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n1 --mem 500 -t 7d --runs 100000s
> job 1
> at 1s launch job 1 on n1
at 1s submit -n1 --mem 400 -t 60s --runs 12s
> job 2
> at 1s launch job 2 on n1
500 MB are free when 2 is over: what asks for more of it waits behind.
at 2s submit -n1 --mem 500 -t 300s --runs 30s
> job 3
at 3s submit -n1 --mem 50 -t 3600s --runs 1000s
> job 4
at 3s submit -n1 --mem 100 -t 50s --runs 50s
> job 5
> at 3s launch job 5 on n1
at 3s submit -n1 --mem-per-cpu 50 -c2 -t 3600s --runs 100s
> job 6
at 4s submit -n1 -t 60s --runs 10s
> job 7
at 5s show plan
> 3 at 61s on n1 until 361s
> 4 at 361s on n1 until 3961s
> 6 at 361s on n1 until 3961s
> 7 at 604801s on n1 until 604861s
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:04 1 n1
>  3 p      PD  0:00 1 (Resources)
>  4 p      PD  0:00 1 (Priority)
>  5 p      R   0:02 1 n1
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 1 (Priority)
at 5s estimate -n1 --mem 500 -t 60s
> in 01:05:56 on n1, 1 CPUs
at 5s estimate -n1 --mem 501 -t 60s
> in 7-00:00:56 on n1, 1 CPUs
at 100s show jobs
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n1
> at 53s job 5 COMPLETED
> at 53s terminate job 5 on n1
> at 53.001s launch job 3 on n1
> at 83.001s job 3 COMPLETED
> at 83.001s terminate job 3 on n1
> at 83.002s launch job 4 on n1
> at 83.002s launch job 6 on n1
>  1 p      R   1:39 1 n1
>  4 p      R   0:16 1 n1
>  6 p      R   0:16 1 n1
>  7 p      PD  0:00 1 (Resources)
