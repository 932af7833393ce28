A limit of GPUs of one type, where jobs ask for any: tasks are dealt to the nodes so that as few of that type are taken as can be.
conf
NodeName=n[1-3] CPUs=4 RealMemory=8000 Gres=gpu:a100:2,gpu:v100:2
GresTypes=gpu
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 DefMemPerCPU=100 OverSubscribe=FORCE:1
PartitionName=high Nodes=ALL PriorityTier=2 DefMemPerCPU=100 OverSubscribe=FORCE:1
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageEnforce=limits,qos
AccountingStorageTRES=gres/gpu,gres/gpu:a100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s sacctmgr add account theory grptres=gres/gpu:a100=2
at 1s sacctmgr add user alice account=theory
at 1s sacctmgr add account free
at 1s sacctmgr add user carol account=free

Node after node being filled it would have 2, 1 and 0 of them.
at 2s submit --user=alice -N3 -n8 --gpus-per-task 1 --runs 20s
> job 1
> at 2s launch job 1 on n1
at 3s show jobs
>  1 low    R   0:01 3 n[1-3]
at 30s show jobs
> at 22s job 1 COMPLETED
> at 22s terminate job 1 on n1

The same with --gpus.
at 31s submit --user=alice -N3 -n3 --gpus 8 --runs 20s
> job 2
> at 31s launch job 2 on n1
at 32s show jobs
>  2 low    R   0:01 3 n[1-3]
at 60s show jobs
> at 51s job 2 COMPLETED
> at 51s terminate job 2 on n1
One more than there can be.
at 61s submit --user=alice -N3 -n9 --gpus-per-task 1 --runs 20s
> job 3
at 62s show jobs
>  3 low    PD  0:00 3 (AssocGrpGRES)
at 63s cancel 3
> at 63s job 3 CANCELLED

A job that has a node for itself has all of its GPUs, and is counted so; that others have some of them just now, standing still, makes no difference.
at 100s submit --user=alice --gres gpu:a100:1 -w n2 --runs 300s
> job 4
> at 100s launch job 4 on n2
at 101s submit --user=alice -p high --exclusive -n1 -w n1 --gres gpu:1 --runs 20s
> job 5
at 102s show jobs
>  4 low    R   0:02 1 n2
>  5 high   PD  0:00 1 (AssocGrpGRES)
at 103s submit --user=carol --gres gpu:a100:1 -w n1 --runs 100s
> job 6
> at 103s launch job 6 on n1
at 104s show jobs
>  4 low    R   0:04 1 n2
>  5 high   PD  0:00 1 (AssocGrpGRES)
>  6 low    R   0:01 1 n1
at 500s show jobs
> at 203s job 6 COMPLETED
> at 203s terminate job 6 on n1
> at 400s job 4 COMPLETED
> at 400s terminate job 4 on n2
> at 400s launch job 5 on n1
> at 420s job 5 COMPLETED
> at 420s terminate job 5 on n1
