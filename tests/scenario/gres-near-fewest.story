Tasks that need the cores of both sockets have a GPU of each: with enforce-binding no node is dealt fewer, though the first ones could
give more.
conf
NodeName=n[1-4] CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=8000 Gres=gpu:4
NodeName=n[5-7] CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=8000 Gres=gpu:2
GresTypes=gpu
PartitionName=all Nodes=ALL Default=YES
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
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
at 1s submit -N4 -n4 -c3 --gpus 9 --enforce-binding --runs 20s
> job 1
> at 1s launch job 1 on n1
at 2s show gres
> n1 gpu:3(IDX:0-2)
> n2 gpu:2(IDX:0,2)
> n3 gpu:2(IDX:0,2)
> n4 gpu:2(IDX:0,2)
>  job 1 has gpu:3(IDX:0-2) of n1
>  job 1 has gpu:2(IDX:0,2) of n2
>  job 1 has gpu:2(IDX:0,2) of n3
>  job 1 has gpu:2(IDX:0,2) of n4
at 30s show jobs
> at 21s job 1 COMPLETED
> at 21s terminate job 1 on n1
Four are too few for four nodes, one of which must be such; of seven n5 gives the last one: its GPUs are near all cores.
at 31s submit -N4 -n4 -c3 --gpus 4 --enforce-binding --runs 20s
> refused: Requested node configuration is not available
at 32s submit -N4 -n4 -c3 --gpus 7 --enforce-binding --runs 1s
> job 2
> at 32s launch job 2 on n1
at 32s show gres
> n1 gpu:2(IDX:0,2)
> n2 gpu:2(IDX:0,2)
> n3 gpu:2(IDX:0,2)
> n5 gpu:1(IDX:0)
>  job 2 has gpu:2(IDX:0,2) of n1
>  job 2 has gpu:2(IDX:0,2) of n2
>  job 2 has gpu:2(IDX:0,2) of n3
>  job 2 has gpu:1(IDX:0) of n5
Not held to it they are enough.
at 33s submit -N4 -n4 -c3 --gpus 7 --runs 20s
> at 33s job 2 COMPLETED
> at 33s terminate job 2 on n1
> job 3
> at 33s launch job 3 on n2
at 34s show gres
> n2 gpu:4(IDX:0-3)
> n3 gpu:1(IDX:0)
> n4 gpu:1(IDX:0)
> n5 gpu:1(IDX:0)
>  job 3 has gpu:4(IDX:0-3) of n2
>  job 3 has gpu:1(IDX:0) of n3
>  job 3 has gpu:1(IDX:0) of n4
>  job 3 has gpu:1(IDX:0) of n5
Four tasks on a node need both of its sockets, and five GPUs are too few for three such nodes: it has those that have theirs near all cores.
at 100s submit -N3 -n12 --gpus 5 --enforce-binding --runs 20s
> at 53s job 3 COMPLETED
> at 53s terminate job 3 on n2
> job 4
> at 100s launch job 4 on n5
at 101s show gres
> n5 gpu:2(IDX:0-1)
> n6 gpu:2(IDX:0-1)
> n7 gpu:1(IDX:0)
>  job 4 has gpu:2(IDX:0-1) of n5
>  job 4 has gpu:2(IDX:0-1) of n6
>  job 4 has gpu:1(IDX:0) of n7
at 130s show jobs
> at 120s job 4 COMPLETED
> at 120s terminate job 4 on n5
