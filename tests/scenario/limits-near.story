A limit of GPUs of one type where gres.conf says near which cores those lie: of the other type as many are taken as there are, though no
core is near them alone.
conf
NodeName=n[1-2] CPUs=4 RealMemory=8000 Gres=gpu:a100:2,gpu:v100:2
GresTypes=gpu
PartitionName=all Nodes=ALL Default=YES
gres.conf NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-2
gres.conf NodeName=n[1-2] Name=gpu Type=v100 File=/dev/nvidia[2-3]
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
AccountingStorageTRES=gres/gpu,gres/gpu:a100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s sacctmgr add account theory grptres=gres/gpu:a100=2
at 1s sacctmgr add user alice account=theory

Three tasks near the first three cores of each node: one of its a100 and both of the others.
at 2s submit --user=alice -N2 --ntasks-per-node 3 --gpus-per-task 1 --enforce-binding --runs 20s
> job 1
> at 2s launch job 1 on n1
at 3s show jobs
>  1 all    R   0:01 2 n[1-2]
at 3s show gres
> n1 gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3)
> n2 gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3)
>  job 1 has gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3) of n1
>  job 1 has gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3) of n2
at 30s show jobs
> at 22s job 1 COMPLETED
> at 22s terminate job 1 on n1
Without being held to it the same.
at 31s submit --user=alice -N2 -n6 --gpus-per-task 1 --runs 20s
> job 2
> at 31s launch job 2 on n1
at 32s show gres
> n1 gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3)
> n2 gpu:a100:0,gpu:v100:2(IDX:2-3)
>  job 2 has gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3) of n1
>  job 2 has gpu:v100:2(IDX:2-3) of n2
at 60s show jobs
> at 51s job 2 COMPLETED
> at 51s terminate job 2 on n1
With --gpus.
at 61s submit --user=alice -N2 -n2 --gpus 6 --enforce-binding --runs 20s
> job 3
> at 61s launch job 3 on n1
at 62s show gres
> n1 gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3)
> n2 gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3)
>  job 3 has gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3) of n1
>  job 3 has gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3) of n2
at 90s show jobs
> at 81s job 3 COMPLETED
> at 81s terminate job 3 on n1
One more than there can be.
at 91s submit --user=alice -N2 -n7 --gpus-per-task 1 --runs 20s
> job 4
at 92s show jobs
>  4 all    PD  0:00 2 (AssocGrpGRES)
