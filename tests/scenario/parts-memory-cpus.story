Memory in the plan with CPUs, of which a core has two, and as the only thing that counts beside them.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
NodeName=n1 CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000
PartitionName=p Nodes=n1 Default=YES
PartitionName=m Nodes=n1 SelectTypeParameters=CR_Core
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n1 --mem 500 -t 7d --runs 100000s
> job 1
> at 1s launch job 1 on n1
at 1s submit -n1 -c4 --mem 400 -t 60s --runs 12s
> job 2
> at 1s launch job 2 on n1
Memory for it is free when 2 is over, as are two cores; 4 would have to be over by then.
at 2s submit -n1 -c3 --mem 500 -t 300s --runs 30s
> job 3
at 3s submit -n1 --mem 50 -t 3600s --runs 1000s
> job 4
at 3s submit -n1 --mem 50 -t 50s --runs 50s
> job 5
> at 3s launch job 5 on n1
at 3s submit -n1 -c3 --mem 50 -t 50s --runs 50s
> job 6
at 4s show plan
> 3 at 61s on n1 until 361s
> 4 at 361s on n1 until 3961s
> 6 at 361s on n1 until 411s
at 4s show jobs
>  1 p      R   0:03 1 n1
>  2 p      R   0:03 1 n1
>  3 p      PD  0:00 1 (Resources)
>  4 p      PD  0:00 1 (Priority)
>  5 p      R   0:01 1 n1
>  6 p      PD  0:00 1 (Priority)
at 200s show jobs
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n1
> at 53s job 5 COMPLETED
> at 53s terminate job 5 on n1
> at 53.001s launch job 3 on n1
> at 83.001s job 3 COMPLETED
> at 83.001s terminate job 3 on n1
> at 83.002s launch job 4 on n1
> at 83.002s launch job 6 on n1
> at 133.002s job 6 COMPLETED
> at 133.002s terminate job 6 on n1
>  1 p      R   3:19 1 n1
>  4 p      R   1:56 1 n1
