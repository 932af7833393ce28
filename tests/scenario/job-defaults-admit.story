A job that says nothing of its time or memory is admitted by what each of its partitions gives by default, not by what the first one does.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
EnforcePartLimits=ALL
NodeName=n1 CPUs=4 RealMemory=4000
NodeName=n2 CPUs=4 RealMemory=1000
PartitionName=a Nodes=n1 Default=YES DefMemPerNode=2000
PartitionName=b Nodes=n2 DefMemPerNode=500
PartitionName=long Nodes=n2 MaxTime=1000
PartitionName=short Nodes=n2 MaxTime=5
PartitionName=down Nodes=n2 MaxTime=1000 State=DOWN
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
EnforcePartLimits: the time is not too long for the short one.
at 1s submit -n1 -p long,short --runs 10s
> job 1
> at 1s launch job 1 on n2
at 2s submit -n1 -p down,short --runs 10s
> job 2
at 2s estimate -n1 -p down,short
> in 16:44:59 on n2, 1 CPUs
at 3s submit -n1 -p long,short -t 10m
> refused: Requested time limit is invalid (missing or exceeds some limit)
It is not too large for b, which would have been taken from its list.
at 100s submit -N1 -p a --exclusive --runs 1000s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n2
> at 11.001s launch job 2 on n2
> at 21.001s job 2 COMPLETED
> at 21.001s terminate job 2 on n2
> job 3
> at 100s launch job 3 on n1
at 101s submit -n1 -p a,b --runs 10s
> job 4
> at 101s launch job 4 on n2
at 102s estimate -n1 -p a,b
> in 00:00:00 on n2, 1 CPUs
at 150s show jobs
> at 111s job 4 COMPLETED
> at 111s terminate job 4 on n2
>  3 a      R   0:50 1 n1
