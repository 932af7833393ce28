GPUs of several types for the whole job: of each as many as are asked for, to the unit, and each node gives one at least, of whichever type.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
GresTypes=gpu
AccountingStorageEnforce=limits,qos
AccountingStorageTRES=gres/gpu,gres/gpu:v100
NodeName=n[1-2] CPUs=8 Gres=gpu:a100:2,gpu:v100:2
NodeName=n3 CPUs=8 Gres=gpu:a100:4
NodeName=n4 CPUs=8 Gres=gpu:v100:4
NodeName=n5 CPUs=8 Gres=gpu:a100:4
PartitionName=DEFAULT MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES Nodes=n[1-4]
PartitionName=high PriorityTier=2 Nodes=n[1-4]
PartitionName=mix PriorityTier=1 Nodes=n[3-5]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 0s sacctmgr add account physics,plain
at 0s sacctmgr add user alice account=physics
at 0s sacctmgr add user bob account=plain
at 0s submit --user=bob --gpus a100:2,v100:1 -t 100s --runs 10s
> job 1
> at 0s launch job 1 on n1
at 0s show gres
> n1 gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:2)
>  job 1 has gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:2) of n1
Two nodes: one of each type from each where there are enough, and the first gives more.
at 20s submit --user=bob --gpus a100:3,v100:1 -t 100s --runs 10s
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> job 2
> at 20s launch job 2 on n1
at 20s show gres
> n1 gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:2)
> n2 gpu:a100:1(IDX:0),gpu:v100:0
>  job 2 has gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:2) of n1
>  job 2 has gpu:a100:1(IDX:0) of n2
at 40s submit --user=bob --gpus a100:2,v100:2 -N2 -t 100s --runs 10s
> at 30s job 2 COMPLETED
> at 30s terminate job 2 on n1
> job 3
> at 40s launch job 3 on n1
at 40s show gres
> n1 gpu:a100:1(IDX:0),gpu:v100:1(IDX:2)
> n2 gpu:a100:1(IDX:0),gpu:v100:1(IDX:2)
>  job 3 has gpu:a100:1(IDX:0),gpu:v100:1(IDX:2) of n1
>  job 3 has gpu:a100:1(IDX:0),gpu:v100:1(IDX:2) of n2
at 60s submit --user=bob --gpus a100:3,v100:3 -N2 -t 100s --runs 10s
> at 50s job 3 COMPLETED
> at 50s terminate job 3 on n1
> job 4
> at 60s launch job 4 on n1
at 60s show gres
> n1 gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3)
> n2 gpu:a100:1(IDX:0),gpu:v100:1(IDX:2)
>  job 4 has gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3) of n1
>  job 4 has gpu:a100:1(IDX:0),gpu:v100:1(IDX:2) of n2
Nodes of one type each, and none that would give nothing: n5 is left out.
at 80s submit --user=bob -p mix --gpus a100:2,v100:3 -t 100s --runs 10s
> at 70s job 4 COMPLETED
> at 70s terminate job 4 on n1
> job 5
> at 80s launch job 5 on n3
at 80s show gres
> n3 gpu:a100:2(IDX:0-1)
> n4 gpu:v100:3(IDX:0-2)
>  job 5 has gpu:a100:2(IDX:0-1) of n3
>  job 5 has gpu:v100:3(IDX:0-2) of n4
All that there are.
at 100s submit --user=bob --gpus a100:8,v100:8 -t 100s --runs 10s
> at 90s job 5 COMPLETED
> at 90s terminate job 5 on n3
> job 6
> at 100s launch job 6 on n1
at 100s show gres
> n1 gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3)
> n2 gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3)
> n3 gpu:a100:4(IDX:0-3)
> n4 gpu:v100:4(IDX:0-3)
>  job 6 has gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3) of n1
>  job 6 has gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3) of n2
>  job 6 has gpu:a100:4(IDX:0-3) of n3
>  job 6 has gpu:v100:4(IDX:0-3) of n4
What cannot be is refused.
at 120s submit --user=bob --gpus a100:9,v100:1 -t 100s --runs 10s
> at 110s job 6 COMPLETED
> at 110s terminate job 6 on n1
> refused: Requested node configuration is not available
at 120s submit --user=bob -p mix --gpus a100:1,v100:1 -N1 -t 100s --runs 10s
> refused: Requested node configuration is not available
at 120s submit --user=bob --gpus a100:1,v100:1 -N3 -t 100s --runs 10s
> refused: Invalid generic resource (gres) specification (each node gives one of --gpus at least: 2 are asked for and 3 nodes)
at 120s submit --user=bob -p mix --gpus a100:1,v100:1 -n24 -t 100s --runs 10s
> refused: Requested node configuration is not available
at 120s submit --user=bob --gpus a100:1,2 -t 100s --runs 10s
> refused: Invalid generic resource (gres) specification ("gpu:a100:1,gpu:2": "gpu:2" stands with and without type identification)
at 120s submit --user=bob --gpus a100:1,k80:1 -t 100s --runs 10s
> refused: Invalid generic resource (gres) specification (no node has gres/gpu:k80)
A waiting job has a plan, by the ends of the jobs that have what it lacks.
at 120s submit --user=bob --gpus a100:7 -t 50s --runs 50s
> job 7
> at 120s launch job 7 on n1
at 120s submit --user=bob --gpus v100:7 -t 90s --runs 80s
> job 8
> at 120s launch job 8 on n1
at 120s submit --user=bob --gpus a100:2,v100:3 -N2 -t 100s --runs 10s
> job 9
at 121s show jobs
>  7 low    R   0:01 3 n[1-3]
>  8 low    R   0:01 3 n[1-2,4]
>  9 low    PD  0:00 2 (Resources)
at 121s show plan
> 9 at 210s on n[1-2] until 310s
at 170s show gres
> at 170s job 7 COMPLETED
> at 170s terminate job 7 on n1
> n1 gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3)
> n2 gpu:a100:0,gpu:v100:2(IDX:2-3)
> n4 gpu:v100:3(IDX:0-2)
>  job 7 has gpu:a100:2(IDX:0-1) of n1
>  job 7 has gpu:a100:2(IDX:0-1) of n2
>  job 7 has gpu:a100:3(IDX:0-2) of n3
>  job 8 has gpu:v100:2(IDX:2-3) of n1
>  job 8 has gpu:v100:2(IDX:2-3) of n2
>  job 8 has gpu:v100:3(IDX:0-2) of n4
at 200s show gres
> at 200s job 8 COMPLETED
> at 200s terminate job 8 on n1
> at 200s launch job 9 on n2
> n1 gpu:a100:0,gpu:v100:2(IDX:2-3)
> n2 gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3)
> n4 gpu:v100:1(IDX:0)
>  job 8 has gpu:v100:2(IDX:2-3) of n1
>  job 8 has gpu:v100:2(IDX:2-3) of n2
>  job 8 has gpu:v100:3(IDX:0-2) of n4
>  job 9 has gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3) of n2
>  job 9 has gpu:v100:1(IDX:0) of n4
A better one has what it needs, and stops no more than that.
at 300s submit --user=bob --gpus a100:4 -w n3 -t 100s --runs 50s
> at 210s job 9 COMPLETED
> at 210s terminate job 9 on n2
> job 10
> at 300s launch job 10 on n3
at 300s submit --user=bob --gpus v100:4 -w n4 -t 100s --runs 50s
> job 11
> at 300s launch job 11 on n4
at 300s submit --user=bob --gpus a100:3,v100:2 -w n[1-2] -t 100s --runs 50s
> job 12
> at 300s launch job 12 on n1
at 301s submit --user=bob -p high --gpus a100:5,v100:1 -t 100s --runs 20s
> job 13
> at 301s job 10 is requeued
> at 301s terminate job 10 on n3
at 302s show gres
> at 301.001s launch job 13 on n1
> n1 gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3)
> n2 gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:2)
> n3 gpu:a100:4(IDX:0-3)
> n4 gpu:v100:4(IDX:0-3)
>  job 11 has gpu:v100:4(IDX:0-3) of n4
>  job 12 has gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:2) of n1
>  job 12 has gpu:a100:1(IDX:0),gpu:v100:1(IDX:2) of n2
>  job 13 has gpu:v100:1(IDX:3) of n1
>  job 13 has gpu:a100:1(IDX:1) of n2
>  job 13 has gpu:a100:4(IDX:0-3) of n3
at 302s show jobs
> 10 low    PD  0:00 1 (Resources)
> 11 low    R   0:02 1 n4
> 12 low    R   0:02 2 n[1-2]
> 13 high   R   0:00 3 n[1-3]
A limit on one type and one on all.
at 500s sacctmgr modify account physics set grptres=gres/gpu=5,gres/gpu:v100=2
> at 321.001s job 13 COMPLETED
> at 321.001s terminate job 13 on n1
> at 321.001s launch job 10 on n3
> at 350s job 11 COMPLETED
> at 350s terminate job 11 on n4
> at 350s job 12 COMPLETED
> at 350s terminate job 12 on n1
> at 371.001s job 10 COMPLETED
> at 371.001s terminate job 10 on n3
at 501s submit --user=alice --gpus a100:3,v100:3 --runs 20s -t 100s
> job 14
at 501s submit --user=alice --gpus a100:3,v100:2 --runs 20s -t 100s
> job 15
> at 501s launch job 15 on n1
at 501s submit --user=alice --gpus a100:1,v100:1 --runs 20s -t 100s
> job 16
at 502s show jobs
> 14 low    PD  0:00 1 (AssocGrpGRES)
> 15 low    R   0:01 2 n[1-2]
> 16 low    PD  0:00 1 (AssocGrpGRES)
at 560s show jobs
> at 521s job 15 COMPLETED
> at 521s terminate job 15 on n1
> at 521s launch job 16 on n1
> at 541s job 16 COMPLETED
> at 541s terminate job 16 on n1
> 14 low    PD  0:00 1 (AssocGrpGRES)
