A job of --gpus that goes on without a node (--no-kill) has those of its other nodes.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
gres.conf NodeName=n[1-3] Name=gpu Type=a File=/dev/a[0-1]
NodeName=n[1-3] CPUs=4 Gres=gpu:a:2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -N3 --gpus a:6 --no-kill --runs 100s
> job 1
> at 1s launch job 1 on n1
at 10s admin n2 DOWN broken
at 11s show jobs
>  1 p      R   0:10 2 n[1,3]
at 12s show gres
> n1 gpu:a:2(IDX:0-1)
> n3 gpu:a:2(IDX:0-1)
>  job 1 has gpu:a:2(IDX:0-1) of n1
>  job 1 has gpu:a:2(IDX:0-1) of n3
