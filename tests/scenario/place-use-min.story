The fewest nodes (--use-min-nodes): the lightest of those that are enough alone, not the largest.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n1 CPUs=4
NodeName=n2 CPUs=8 Weight=2
NodeName=n3 CPUs=16 Weight=9
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -n6 --use-min-nodes
> job 1
> at 1s launch job 1 on n2
at 2s submit -n6 --use-min-nodes
> job 2
> at 2s launch job 2 on n3
at 3s submit -n6
> job 3
> at 3s launch job 3 on n1
at 4s show jobs
>  1 p      R   0:03 1 n2
>  2 p      R   0:02 1 n3
>  3 p      R   0:01 2 n[1-2]
