Where a limit forbids what a job would like best, and it may have so many nodes only: those that have most of what it asks for by --gpus may have too few CPUs, and others of both enough.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
AccountingStorageEnforce=limits,qos
NodeName=n1 CPUs=64 Gres=gpu:2 Weight=1
NodeName=n[2-3] CPUs=1 Gres=gpu:8 Weight=2
NodeName=n[4-5] CPUs=8 Gres=gpu:2 Weight=3
PartitionName=p Nodes=ALL Default=YES
end
at 0s sacctmgr add account all
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 0s sacctmgr add user carol account=all
at 0s sacctmgr modify qos normal set maxtrespj=cpu=20
at 1s submit --user=carol -N2 -n8 --gpus 4 --exclusive --runs 10s
> job 1
> at 1s launch job 1 on n2
at 5s show jobs
>  1 p      R   0:04 2 n[2,4]
