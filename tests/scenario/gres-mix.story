With enforce-binding and --gpus over several nodes, one that gives GPUs of both sockets may stand beside others that give those of one: such
parts are found where neither all that the nodes have nor equal parts do.
conf
NodeName=n[1-4] CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=8000 Gres=gpu:4
GresTypes=gpu
PartitionName=all Nodes=n[1-3] Default=YES
PartitionName=four Nodes=n[1-4]
gres.conf NodeName=n[1-4] Name=gpu File=/dev/nvidia[0-1] Cores=0-1
gres.conf NodeName=n[1-4] Name=gpu File=/dev/nvidia[2-3] Cores=2-3
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
Eight tasks: four on a node with a GPU of each socket, two on each of the others.
at 1s submit -N3 -n8 --gpus 4 --enforce-binding --runs 20s
> job 1
> at 1s launch job 1 on n1
at 2s show gres
> n1 gpu:2(IDX:0,2)
> n2 gpu:1(IDX:0)
> n3 gpu:1(IDX:0)
>  job 1 has gpu:2(IDX:0,2) of n1
>  job 1 has gpu:1(IDX:0) of n2
>  job 1 has gpu:1(IDX:0) of n3
at 2s show cores 1
> job 1: 8 CPUs: n1 0-3; n2 0-1; n3 0-1
Nine would need one more.
at 31s submit -N3 -n9 --gpus 4 --enforce-binding --runs 20s
> at 21s job 1 COMPLETED
> at 21s terminate job 1 on n1
> refused: Requested node configuration is not available
at 31s submit -N3 -n10 --gpus 5 --enforce-binding --runs 20s
> job 2
> at 31s launch job 2 on n1
at 32s show gres
> n1 gpu:2(IDX:0,2)
> n2 gpu:2(IDX:0,2)
> n3 gpu:1(IDX:0)
>  job 2 has gpu:2(IDX:0,2) of n1
>  job 2 has gpu:2(IDX:0,2) of n2
>  job 2 has gpu:1(IDX:0) of n3
Three tasks of two cores each: two of them on the node that gives two.
at 61s submit -N2 -n3 -c2 --gpus 3 --enforce-binding --runs 20s
> at 51s job 2 COMPLETED
> at 51s terminate job 2 on n1
> job 3
> at 61s launch job 3 on n1
at 62s show gres
> n1 gpu:2(IDX:0,2)
> n2 gpu:1(IDX:0)
>  job 3 has gpu:2(IDX:0,2) of n1
>  job 3 has gpu:1(IDX:0) of n2
at 62s show cores 3
> job 3: 6 CPUs: n1 0-3; n2 0-1
A job has a socket of two of the nodes: it is the third that gives two. A waiting job has a plan.
at 91s submit -N2 -n4 --gres gpu:1 -w n[1-2] --enforce-binding -t 100s --runs 50s
> at 81s job 3 COMPLETED
> at 81s terminate job 3 on n1
> job 4
> at 91s launch job 4 on n1
at 92s submit -N3 -n8 --gpus 4 --enforce-binding -t 50s --runs 20s
> job 5
> at 92s launch job 5 on n1
at 93s show gres
> n1 gpu:2(IDX:0,2)
> n2 gpu:2(IDX:0,2)
> n3 gpu:2(IDX:0,2)
>  job 4 has gpu:1(IDX:0) of n1
>  job 4 has gpu:1(IDX:0) of n2
>  job 5 has gpu:1(IDX:2) of n1
>  job 5 has gpu:1(IDX:2) of n2
>  job 5 has gpu:2(IDX:0,2) of n3
at 93s submit -N3 -n8 --gpus 4 --enforce-binding -t 50s --runs 20s
> job 6
at 94s show plan
> 6 at 191s on n[1-3] until 241s
at 200s show jobs
> at 112s job 5 COMPLETED
> at 112s terminate job 5 on n1
> at 112.001s launch job 6 on n1
> at 132.001s job 6 COMPLETED
> at 132.001s terminate job 6 on n1
> at 141s job 4 COMPLETED
> at 141s terminate job 4 on n1
As many nodes as there must be are chosen among more.
at 201s submit -p four -w n4 -n2 --gres gpu:1 --enforce-binding -t 100s --runs 50s
> job 7
> at 201s launch job 7 on n4
at 202s submit -p four -N2 -n7 --gpus 4 --enforce-binding -t 50s --runs 20s
> job 8
> at 202s launch job 8 on n1
at 203s show gres
> n1 gpu:2(IDX:0,2)
> n2 gpu:2(IDX:0,2)
> n4 gpu:1(IDX:0)
>  job 7 has gpu:1(IDX:0) of n4
>  job 8 has gpu:2(IDX:0,2) of n1
>  job 8 has gpu:2(IDX:0,2) of n2
