Heterogeneous jobs whose components go by numbers: those before have taken the nodes of one of them, as each would choose; all have a place when these have another choice.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-3] CPUs=4
PartitionName=left Nodes=n[1-2] Default=YES
PartitionName=right Nodes=n[1,3]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -w n2 -n4 -t 100s --runs 100s
> job 1
> at 1s launch job 1 on n2
at 2s submit -p left -n2 -t 300s --runs 30s : -p right -n2 -t 300s --runs 30s : -p right -n2 -t 300s --runs 30s
> job 2, with components up to 4
at 3s show plan
> 2 at 101s on n2 until 401s
> 3 at 101s on n1 until 401s
> 4 at 101s on n3 until 401s
at 4s submit -w n3 -p right -n2 -t 3600s --runs 3600s
> job 5
> at 4s launch job 5 on n3
at 150s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n2
> at 101.001s launch job 2 on n2
> at 131.001s job 2 COMPLETED
> at 131.001s terminate job 2 on n2
> at 131.001s job 3 COMPLETED
> at 131.001s job 4 COMPLETED
>  5 right  R   2:26 1 n3
