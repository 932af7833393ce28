Jobs that wait and have asked for no time go by what their partition says: when it is changed, when they are moved, when there is a new configuration.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-2] CPUs=2
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=10 DefaultTime=5
PartitionName=long Nodes=n[1-2] MaxTime=100
end
at 0s submit -N2 -n4 -t 10m --runs 60s
> at 0s n1 registers
> at 0s n2 registers
> job 1
> at 0s launch job 1 on n1
at 1s submit -n2
> job 2
at 1s submit -n2 -t 4m
> job 3
at 2s show plan
> 2 at 600s on n1 until 900s
> 3 at 600s on n2 until 840s
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-2] CPUs=2
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=3
PartitionName=long Nodes=n[1-2] MaxTime=100
end
at 3s show plan
> 2 at 600s on n1 until 780s
> 3 is not planned
at 3s show jobs
>  1 main   R   0:03 2 n[1-2]
>  2 main   PD  0:00 1 (Resources)
>  3 main   PD  0:00 1 (PartitionTimeLimit)
at 4s update owner JobId=2 Partition=long
at 4s update owner JobId=3 Partition=long
at 5s show plan
> 2 at 600s on n1 until 6600s
> 3 at 600s on n2 until 840s
at 5s show jobs
>  1 main   R   0:05 2 n[1-2]
>  2 long   PD  0:00 1 (Resources)
>  3 long   PD  0:00 1 (Priority)
at 6s update owner JobId=2 NumTasks=1
at 7s show plan
> 2 at 600s on n1 until 6600s
> 3 at 600s on n2 until 840s
