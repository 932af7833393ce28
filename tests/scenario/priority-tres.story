PriorityWeightTRES: generic resources count as a part of those of the partition's nodes, licenses of all; also in each of several partitions, and after a change.  The figures are Slurm's own for the same configuration.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
PriorityType=priority/multifactor
PriorityWeightTRES=CPU=1000,Mem=2000,GRES/gpu=3000,License/matlab=500,gres/gpu:b=100
AccountingStorageTRES=gres/gpu,license/matlab,gres/gpu:b
Licenses=matlab:4
GresTypes=gpu
NodeName=n[1-2] CPUs=8 RealMemory=4000 Gres=gpu:a:2
NodeName=n3 CPUs=8 RealMemory=4000 Gres=gpu:b:2
NodeName=n[4-6] CPUs=8 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES
PartitionName=low Nodes=n[1-2]
PartitionName=none Nodes=n[4-6]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 0s submit -N6 --exclusive --mem 4000 --runs 2h
> job 1
> at 0s launch job 1 on n1
at 1s submit --gpus 3 -n3 --mem 100
> job 2
at 1s submit -n3 --mem 100 -L matlab:2
> job 3
at 1s submit -p low,main -n3 --gres gpu:1 -L matlab:2 --mem 100
> job 4
at 1s submit --gres gpu:b:2 --mem 100
> job 5
at 1s submit -p none,main -n3 --gres gpu:1 --mem 100
> job 6
at 2s show priorities
>  2 1570: 0.0000 0.1146 1.0000 0.0625 0.0042 0.1667 0.5000 0.0000 0.0000
>  4 1212: 0.0000 0.1146 1.0000 0.1875 0.0125 0.5000 0.2500 0.5000 0.0000
>  5 1129: 0.0000 0.0938 1.0000 0.0208 0.0042 0.1667 0.3333 0.0000 1.0000
>  4 820: 0.0000 0.1146 1.0000 0.0625 0.0042 0.1667 0.1667 0.5000 0.0000
>  6 570: 0.0000 0.1146 1.0000 0.0625 0.0042 0.1667 0.1667 0.0000 0.0000
>  3 320: 0.0000 0.1146 1.0000 0.0625 0.0042 0.1667 0.0000 0.5000 0.0000
at 3s update owner JobId=2 TresPerJob=gpu:1
at 4s show priorities
>  4 1212: 0.0000 0.1146 1.0000 0.1875 0.0125 0.5000 0.2500 0.5000 0.0000
>  5 1129: 0.0000 0.0938 1.0000 0.0208 0.0042 0.1667 0.3333 0.0000 1.0000
>  4 820: 0.0000 0.1146 1.0000 0.0625 0.0042 0.1667 0.1667 0.5000 0.0000
>  2 570: 0.0000 0.1146 1.0000 0.0625 0.0042 0.1667 0.1667 0.0000 0.0000
>  6 570: 0.0000 0.1146 1.0000 0.0625 0.0042 0.1667 0.1667 0.0000 0.0000
>  3 320: 0.0000 0.1146 1.0000 0.0625 0.0042 0.1667 0.0000 0.5000 0.0000
