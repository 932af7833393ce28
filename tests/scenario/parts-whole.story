plan_whole_nodes: nodes are planned as a whole, as larger jobs may want them; what starts now takes what is free of a node.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n1 CPUs=4
PartitionName=p Nodes=ALL Default=YES
yaml plan_whole_nodes: yes
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n1 -c1 -t 1h --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit -n1 -c2 -t 60s --runs 12s
> job 2
> at 1s launch job 2 on n1
at 2s submit -n1 -c3 -t 300s --runs 30s
> job 3
at 4s submit -n1 -c1 -t 1h --runs 30s
> job 4
at 5s show plan
> 3 at 3601s on n1 until 3901s
> 4 at 3901s on n1 until 7501s
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:04 1 n1
>  3 p      PD  0:00 1 (Resources)
>  4 p      PD  0:00 1 (Priority)
at 50s show jobs
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n1
> at 13.001s launch job 3 on n1
> at 43.001s job 3 COMPLETED
> at 43.001s terminate job 3 on n1
> at 43.002s launch job 4 on n1
>  1 p      R   0:49 1 n1
>  4 p      R   0:06 1 n1
Without it.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n1 CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 51s show plan
