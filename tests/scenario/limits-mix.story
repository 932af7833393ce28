A limit is in the way, and with enforce-binding the job needs parts of its GPUs of different size: they are found within the limit, too.
conf
NodeName=n1 CPUs=3 Sockets=3 CoresPerSocket=1 ThreadsPerCore=1 RealMemory=4000 Gres=gpu:3
NodeName=n[2-3] CPUs=1 RealMemory=8000 Gres=gpu:1
NodeName=n[4-5] CPUs=1 RealMemory=4000 Gres=gpu:1
GresTypes=gpu
PartitionName=all Nodes=ALL Default=YES
gres.conf NodeName=n[1-5] Name=gpu File=/dev/nvidia0 Cores=0
gres.conf NodeName=n1 Name=gpu File=/dev/nvidia1 Cores=1
gres.conf NodeName=n1 Name=gpu File=/dev/nvidia2 Cores=2
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageEnforce=limits,qos
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 1s sacctmgr add account theory grptres=mem=12000
at 1s sacctmgr add user alice account=theory

It has all memory of its nodes, and a core near each GPU: three of n1, and one of each of two small ones.
at 2s submit --user=alice -N3 -n5 --gpus 5 --enforce-binding --runs 10s
> job 1
> at 2s launch job 1 on n1
at 3s show gres
> n1 gpu:3(IDX:0-2)
> n4 gpu:1(IDX:0)
> n5 gpu:1(IDX:0)
>  job 1 has gpu:3(IDX:0-2) of n1
>  job 1 has gpu:1(IDX:0) of n4
>  job 1 has gpu:1(IDX:0) of n5
at 3s show cores 1
> job 1: 5 CPUs: n1 0-2; n4 0; n5 0
