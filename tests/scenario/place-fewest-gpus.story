Those that have most of --gpus may have hardly a CPU for it, and others of both enough.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[1-2] CPUs=1 Gres=gpu:8
NodeName=n[3-4] CPUs=8 Gres=gpu:2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N2 -n8 --gpus 4 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s show jobs
>  1 p      R   0:01 2 n[1,3]
