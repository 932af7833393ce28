PriorityWeightTRES: a job's priority in each of its partitions counts the memory and the CPUs that it has there by default, and what that is after a change.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
PriorityType=priority/multifactor
PriorityWeightTRES=cpu=1000,mem=1000
PriorityWeightJobSize=1000
NodeName=n[1-2] CPUs=10 RealMemory=10000
PartitionName=a Nodes=ALL Default=YES DefMemPerCPU=2000
PartitionName=b Nodes=ALL DefMemPerCPU=4000 MaxMemPerCPU=2000
PartitionName=c Nodes=ALL DefMemPerNode=10000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N2 --exclusive --all-memory -p a --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -p a,b,c -n1
> job 2
at 2s submit -p c,b,a -n1
> job 3
at 3s show priorities
>  2 825: 0.0000 0.2750 1.0000 0.0500 0.5000 0.5000
>  3 825: 0.0000 0.2750 1.0000 0.0500 0.5000 0.5000
>  2 600: 0.0000 0.3000 1.0000 0.1000 0.2000 0.5000
>  3 600: 0.0000 0.3000 1.0000 0.1000 0.2000 0.5000
>  2 425: 0.0000 0.2750 1.0000 0.0500 0.1000 0.5000
>  3 425: 0.0000 0.2750 1.0000 0.0500 0.1000 0.5000
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
PriorityType=priority/multifactor
PriorityWeightTRES=cpu=1000,mem=1000
PriorityWeightJobSize=1000
NodeName=n[1-2] CPUs=10 RealMemory=10000
PartitionName=a Nodes=ALL Default=YES DefMemPerCPU=2000
PartitionName=b Nodes=ALL DefMemPerCPU=8000 MaxMemPerCPU=2000
PartitionName=c Nodes=ALL DefMemPerNode=1000
end
at 5s show priorities
>  2 950: 0.0000 0.3500 1.0000 0.2000 0.4000 0.5000
>  3 950: 0.0000 0.3500 1.0000 0.2000 0.4000 0.5000
>  2 425: 0.0000 0.2750 1.0000 0.0500 0.1000 0.5000
>  3 425: 0.0000 0.2750 1.0000 0.0500 0.1000 0.5000
>  2 375: 0.0000 0.2750 1.0000 0.0500 0.0500 0.5000
>  3 375: 0.0000 0.2750 1.0000 0.0500 0.0500 0.5000
at 600s show priorities
>  2 950: 0.0010 0.3500 1.0000 0.2000 0.4000 0.5000
>  3 950: 0.0010 0.3500 1.0000 0.2000 0.4000 0.5000
>  2 425: 0.0010 0.2750 1.0000 0.0500 0.1000 0.5000
>  3 425: 0.0010 0.2750 1.0000 0.0500 0.1000 0.5000
>  2 375: 0.0010 0.2750 1.0000 0.0500 0.0500 0.5000
>  3 375: 0.0010 0.2750 1.0000 0.0500 0.0500 0.5000
