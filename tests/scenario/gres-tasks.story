Tasks that share GPUs come to nodes in groups, so that no GPU is shared by more; what each task or socket asks for is counted on each node.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu,craynic
NodeName=n[1-2] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=1000 Gres=gpu:4,craynic:3
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
end
at 0s submit -N2 -n8 --ntasks-per-gpu 2 --gres-per-task gpu:1
> at 0s n1 registers
> at 0s n2 registers
> job 1
> at 0s launch job 1 on n1
at 0s show gres
> n1 gpu:3(IDX:0-2),craynic:0
> n2 gpu:1(IDX:0),craynic:0
>  job 1 has gpu:3(IDX:0-2) of n1
>  job 1 has gpu:1(IDX:0) of n2
at 1s cancel 1
> at 1s job 1 CANCELLED
> at 1s terminate job 1 on n1
A last group that is not full has its GPU all the same, and CPUs for all of it.
at 2s submit -N1 -n3 --ntasks-per-gpu 2 --gres-per-task gpu:1 --cpus-per-gpu 4
> job 2
> at 2s launch job 2 on n1
at 2s show jobs
>  2 main   R   0:00 1 n1
at 2s show gres
> n1 gpu:2(IDX:0-1),craynic:0
>  job 2 has gpu:2(IDX:0-1) of n1
at 3s submit -n5 --ntasks-per-gpu 2 --gres-per-task gpu:1
> job 3
> at 3s launch job 3 on n2
at 3s show gres
> n1 gpu:2(IDX:0-1),craynic:0
> n2 gpu:3(IDX:0-2),craynic:0
>  job 2 has gpu:2(IDX:0-1) of n1
>  job 3 has gpu:3(IDX:0-2) of n2
at 4s cancel 2
> at 4s job 2 CANCELLED
> at 4s terminate job 2 on n1
at 4s cancel 3
> at 4s job 3 CANCELLED
> at 4s terminate job 3 on n2
So many for each of two sockets.
at 5s submit -N1 --sockets-per-node 2 --gres-per-socket gpu:2
> job 4
> at 5s launch job 4 on n1
at 5s submit -N1 --sockets-per-node 2 --gres-per-socket gpu:1
> job 5
> at 5s launch job 5 on n2
at 5s show gres
> n1 gpu:4(IDX:0-3),craynic:0
> n2 gpu:2(IDX:0-1),craynic:0
>  job 4 has gpu:4(IDX:0-3) of n1
>  job 5 has gpu:2(IDX:0-1) of n2
at 6s submit -N1 --gres-per-socket gpu:1
> refused: Invalid generic resource (gres) specification (--gpus-per-socket option requires --sockets-per-node specification)
at 6s submit -N1 --sockets-per-node 2 --gres-per-socket gpu:3
> refused: Requested node configuration is not available
at 7s cancel 4
> at 7s job 4 CANCELLED
> at 7s terminate job 4 on n1
at 7s cancel 5
> at 7s job 5 CANCELLED
> at 7s terminate job 5 on n2
Other resources for each task.
at 8s submit -n4 --gres-per-task craynic:1
> job 6
> at 8s launch job 6 on n1
at 8s show gres
> n1 gpu:0,craynic:3(IDX:0-2)
> n2 gpu:0,craynic:1(IDX:0)
>  job 6 has craynic:3(IDX:0-2) of n1
>  job 6 has craynic:1(IDX:0) of n2
at 9s submit -N1 -n4 --gres-per-task craynic:1
> refused: Requested node configuration is not available
