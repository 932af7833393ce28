What a node can do for one job with --gres-flags=enforce-binding says nothing of another one that asks for the same GPUs, but for another
number of tasks or nodes: the small node is too small for the first that waits, and serves those behind it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n1 CPUs=8 RealMemory=1000 Gres=gpu:2
NodeName=n2 CPUs=2 RealMemory=1000 Gres=gpu:2
gres.conf NodeName=n1 Name=gpu File=/dev/nvidia0 Cores=0-3
gres.conf NodeName=n1 Name=gpu File=/dev/nvidia1 Cores=4-7
gres.conf NodeName=n2 Name=gpu File=/dev/nvidia0 Cores=0
gres.conf NodeName=n2 Name=gpu File=/dev/nvidia1 Cores=1
PartitionName=all Nodes=ALL Default=YES
end
at 0s submit -w n1 -n8 -t 1000s --runs 1000s
> at 0s n1 registers
> at 0s n2 registers
> job 1
> at 0s launch job 1 on n1
at 1s submit -N1 -n8 --gpus 2 --enforce-binding -t 100s --runs 100s
> job 2
at 2s submit -N1 -n2 --gpus 2 --enforce-binding -t 100s --runs 100s
> job 3
> at 2s launch job 3 on n2
at 200s show jobs
> at 102s job 3 COMPLETED
> at 102s terminate job 3 on n2
>  1 all    R   3:20 1 n1
>  2 all    PD  0:00 1 (Resources)
at 200s show plan
> 2 at 1000s on n1 until 1100s
