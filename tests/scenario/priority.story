priority/multifactor: age, size, partition, TRES, --nice.  The figures of the first jobs are Slurm's own for the same configuration.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightJobSize=10000
PriorityWeightPartition=2000
PriorityWeightTRES=CPU=1000,Mem=2000
PriorityMaxAge=0-10
PriorityCalcPeriod=60
NodeName=n[1-4] CPUs=8 RealMemory=4000
PartitionName=main Nodes=n[1-4] Default=YES PriorityJobFactor=10
PartitionName=less Nodes=n[1-4] PriorityJobFactor=5
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N4 -n4 --exclusive --runs 20h
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1 -n1 --exclusive
> job 2
at 2s submit -N2 -n4 --exclusive
> job 3
at 2s submit -n3 --mem 1000
> job 4
at 2s submit -N1 --exclusive --nice 100
> job 5
at 2s submit -N3 -c2 --mem-per-cpu 100
> job 6
at 2s submit -N1 --exclusive --hold
> job 7
at 2s submit -N1 --exclusive --begin 5h
> job 8
at 2s submit -N1 --exclusive -p less
> job 9
at 3s show priorities
>  6 6950: 0.0000 0.4688 1.0000 0.1875 0.0375 0.7500
>  3 6250: 0.0000 0.3125 1.0000 0.1250 0.5000 0.5000
>  2 3937: 0.0000 0.1406 1.0000 0.0312 0.2500 0.2500
>  4 3937: 0.0000 0.1719 1.0000 0.0938 0.0625 0.2500
>  8 3937: 0.0000 0.1406 1.0000 0.0312 0.2500 0.2500
>  5 3837: 0.0000 0.1406 1.0000 0.0312 0.2500 0.2500
>  9 2937: 0.0000 0.1406 0.5000 0.0312 0.2500 0.2500
>  7 0: 0.0000 0.1406 1.0000 0.0312 0.2500 0.2500
at 7200s show priorities
>  6 7149: 0.1999 0.4688 1.0000 0.1875 0.0375 0.7500
>  3 6449: 0.1999 0.3125 1.0000 0.1250 0.5000 0.5000
>  2 4137: 0.1999 0.1406 1.0000 0.0312 0.2500 0.2500
>  4 4137: 0.1999 0.1719 1.0000 0.0938 0.0625 0.2500
>  5 4037: 0.1999 0.1406 1.0000 0.0312 0.2500 0.2500
>  8 3937: 0.0000 0.1406 1.0000 0.0312 0.2500 0.2500
>  9 3137: 0.1999 0.1406 0.5000 0.0312 0.2500 0.2500
>  7 0: 0.0000 0.1406 1.0000 0.0312 0.2500 0.2500
at 43200s show priorities
>  6 7950: 1.0000 0.4688 1.0000 0.1875 0.0375 0.7500
>  3 7250: 1.0000 0.3125 1.0000 0.1250 0.5000 0.5000
>  2 4937: 1.0000 0.1406 1.0000 0.0312 0.2500 0.2500
>  4 4937: 1.0000 0.1719 1.0000 0.0938 0.0625 0.2500
>  5 4837: 1.0000 0.1406 1.0000 0.0312 0.2500 0.2500
>  8 4637: 0.6999 0.1406 1.0000 0.0312 0.2500 0.2500
>  9 3937: 1.0000 0.1406 0.5000 0.0312 0.2500 0.2500
>  7 0: 0.0000 0.1406 1.0000 0.0312 0.2500 0.2500
