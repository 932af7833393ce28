Heterogeneous jobs of components that share their nodes with other jobs: both have a place as soon as each has.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -w n1 -n3 -t 7d --runs 100000s
> job 1
> at 1s launch job 1 on n1
at 1s submit -w n2 -n2 -t 7d --runs 100000s
> job 2
> at 1s launch job 2 on n2
at 1s submit -w n2 -n1 -t 60s --runs 12s
> job 3
> at 1s launch job 3 on n2
at 1s submit -w n1 -n1 -t 100s --runs 20s
> job 4
> at 1s launch job 4 on n1
Two cores of n2 and one of n1.
at 2s submit -w n1 -n1 -t 300s --runs 30s : -w n2 -n2 -t 300s --runs 30s
> job 5, with components up to 6
at 3s submit -n1 -t 3600s --runs 100s
> job 7
at 3s submit -n1 -t 50s --runs 50s
> job 8
> at 3s launch job 8 on n2
at 4s show plan
> 5 at 101s on n1 until 401s
> 7 at 401s on n1 until 4001s
> 6 at 101s on n2 until 401s
at 4s show jobs
>  1 p      R   0:03 1 n1
>  2 p      R   0:03 1 n2
>  3 p      R   0:03 1 n2
>  4 p      R   0:03 1 n1
>  5 p      PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (Resources)
>  7 p      PD  0:00 1 (Resources)
>  8 p      R   0:01 1 n2
at 4s estimate -w n2 -n1 -t 60s
> in 00:06:37 on n2, 1 CPUs
at 500s show jobs
> at 13s job 3 COMPLETED
> at 13s terminate job 3 on n2
> at 21s job 4 COMPLETED
> at 21s terminate job 4 on n1
> at 53s job 8 COMPLETED
> at 53s terminate job 8 on n2
> at 53.001s launch job 5 on n1
> at 83.001s job 5 COMPLETED
> at 83.001s terminate job 5 on n1
> at 83.001s job 6 COMPLETED
> at 83.001s launch job 7 on n2
> at 183.001s job 7 COMPLETED
> at 183.001s terminate job 7 on n2
>  1 p      R   8:19 1 n1
>  2 p      R   8:19 1 n2
