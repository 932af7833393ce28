Generic resources: a job is on nodes that have what it asks for, holds certain units, and keeps them while it stands still.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
GresTypes=gpu,craynic
DefMemPerNode=100
NodeName=n[1-2] CPUs=8 RealMemory=1000 Gres=gpu:a100:2,gpu:v100:2,craynic:4
NodeName=n[3-4] CPUs=8 RealMemory=1000 Gres=gpu:a100:4(S:0-1)
NodeName=n5 CPUs=8 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s submit --gres gpu:1 -t 100s --runs 50s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> job 1
> at 0s launch job 1 on n1
at 0s submit --gres gpu:v100:2,craynic:3 -t 100s --runs 60s
> job 2
> at 0s launch job 2 on n1
at 0s submit --gres gpu:a100:4 -t 100s --runs 70s
> job 3
> at 0s launch job 3 on n3
at 0s show gres
> n1 gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3),craynic:3(IDX:0-2)
> n3 gpu:a100:4(IDX:0-3)
>  job 1 has gpu:a100:1(IDX:0) of n1
>  job 2 has gpu:v100:2(IDX:2-3),craynic:3(IDX:0-2) of n1
>  job 3 has gpu:a100:4(IDX:0-3) of n3
What no node has is refused; so is what contradicts.
at 1s submit --gres tape:1
> refused: Invalid generic resource (gres) specification (no node has gres/tape)
at 1s submit --gres gpu:h100:1
> refused: Invalid generic resource (gres) specification (no node has gres/gpu:h100)
at 1s submit --gres gpu:5
> refused: Requested node configuration is not available
at 1s submit --gres gpu:1,gpu:a100:1
> refused: Invalid generic resource (gres) specification ("gpu:1,gpu:a100:1": "gpu:a100:1" stands with and without type identification)
at 1s submit --gres gpu:x:y:1
> refused: Invalid generic resource (gres) specification ("gpu:x:y:1": "gpu:x:y:1" has too many parts)
at 1s submit -N3 --gpus 2
> refused: Invalid generic resource (gres) specification (each node gives one of --gpus at least: 2 are asked for and 3 nodes)
at 1s submit --cpus-per-gpu 2
> refused: Invalid generic resource (gres) specification (--cpus-per-gpu or --mem-per-gpu without GPUs)
Each task its own: two tasks a node here, since each wants two of four.
at 1s submit -N2 -n4 --gpus-per-task a100:2 -t 100s --runs 50s
> job 4
at 1s show jobs
>  1 low    R   0:01 1 n1
>  2 low    R   0:01 1 n1
>  3 low    R   0:01 1 n3
>  4 low    PD  0:00 2 (Resources)
at 1s show plan
> 4 at 100s on n[3-4] until 200s
Job 4 must wait for job 3. A job that needs none goes on, and so does one that needs what is left.
at 2s submit -t 100s --runs 10s
> job 5
> at 2s launch job 5 on n1
at 2s submit --gres craynic:4 -t 100s --runs 10s
> job 6
> at 2s launch job 6 on n2
at 2s show gres
> n1 gpu:a100:1(IDX:0),gpu:v100:2(IDX:2-3),craynic:3(IDX:0-2)
> n2 gpu:a100:0,gpu:v100:0,craynic:4(IDX:0-3)
> n3 gpu:a100:4(IDX:0-3)
>  job 1 has gpu:a100:1(IDX:0) of n1
>  job 2 has gpu:v100:2(IDX:2-3),craynic:3(IDX:0-2) of n1
>  job 3 has gpu:a100:4(IDX:0-3) of n3
>  job 6 has craynic:4(IDX:0-3) of n2
So many altogether: the nodes give what they have left.
at 3s submit -n1 --gpus 5 -t 100s --runs 40s
> job 7
> at 3s launch job 7 on n1
at 3s estimate --gpus 2 -t 10s
> in 00:00:00 on n4, 1 CPUs
at 3s show plan
> 4 at 100s on n[3-4] until 200s
at 75s show gres
> at 12s job 5 COMPLETED
> at 12s terminate job 5 on n1
> at 12s job 6 COMPLETED
> at 12s terminate job 6 on n2
> at 43s job 7 COMPLETED
> at 43s terminate job 7 on n1
> at 50s job 1 COMPLETED
> at 50s terminate job 1 on n1
> at 60s job 2 COMPLETED
> at 60s terminate job 2 on n1
> at 70s job 3 COMPLETED
> at 70s terminate job 3 on n3
> at 70.001s launch job 4 on n3
> n3 gpu:a100:4(IDX:0-3)
> n4 gpu:a100:4(IDX:0-3)
>  job 4 has gpu:a100:4(IDX:0-3) of n3
>  job 4 has gpu:a100:4(IDX:0-3) of n4
at 130s show jobs
> at 120.001s job 4 COMPLETED
> at 120.001s terminate job 4 on n3
CPUs and memory go by the GPU.
at 200s submit --gpus a100:2 --cpus-per-gpu 3 --mem-per-gpu 200 -t 100s --runs 50s
> job 8
> at 200s launch job 8 on n1
at 200s submit --gres gpu:a100:1 --cpus-per-gpu 3 --mem-per-gpu 200 -t 100s --runs 50s
> job 9
> at 200s launch job 9 on n2
at 201s show gres
> n1 gpu:a100:2(IDX:0-1),gpu:v100:0,craynic:0
> n2 gpu:a100:1(IDX:0),gpu:v100:0,craynic:0
>  job 8 has gpu:a100:2(IDX:0-1) of n1
>  job 9 has gpu:a100:1(IDX:0) of n2
at 201s show parts
>  job 8 has 6 CPUs, 400 MB of n1
>  job 9 has 3 CPUs, 200 MB of n2
at 300s show jobs
> at 250s job 8 COMPLETED
> at 250s terminate job 8 on n1
> at 250s job 9 COMPLETED
> at 250s terminate job 9 on n2
A job that was stopped keeps its units: its preemptor must do with others.
at 300s submit -w n1 -n8 --gres gpu:a100:2 -t 500s --runs 100s
> job 10
> at 300s launch job 10 on n1
at 310s submit -p high -w n1 -n8 --gres gpu:v100:1 -t 100s --runs 20s
> job 11
> at 310s freeze job 10 on n1
at 311s submit -p high -w n1 -n1 --gres gpu:a100:1 -t 100s --runs 10s
> at 310.001s launch job 11 on n1
> job 12
at 312s show jobs
> 10 low    S   0:10 1 n1
> 11 high   R   0:01 1 n1
> 12 high   PD  0:00 1 (Resources)
at 312s show gres
> n1 gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:2),craynic:0
>  job 10 has gpu:a100:2(IDX:0-1) of n1
>  job 11 has gpu:v100:1(IDX:2) of n1
at 500s show jobs
> at 330.001s job 11 COMPLETED
> at 330.001s terminate job 11 on n1
> at 330.002s thaw job 10 on n1
> at 420.002s job 10 COMPLETED
> at 420.002s terminate job 10 on n1
> at 420.003s launch job 12 on n1
> at 430.003s job 12 COMPLETED
> at 430.003s terminate job 12 on n1
A job that has the node for itself has all of it.
at 500s submit -N1 --exclusive --gres gpu:1 -t 100s --runs 20s
> job 13
> at 500s launch job 13 on n1
at 501s show gres
> n1 gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3),craynic:4(IDX:0-3)
>  job 13 has gpu:a100:2(IDX:0-1),gpu:v100:2(IDX:2-3),craynic:4(IDX:0-3) of n1
at 600s show gres
> at 520s job 13 COMPLETED
> at 520s terminate job 13 on n1
Which units go and come: the lowest that are free.
at 600s submit -w n3 --gres gpu:1 -t 500s --runs 10s
> job 14
> at 600s launch job 14 on n3
at 600s submit -w n3 --gres gpu:2 -t 500s --runs 100s
> job 15
> at 600s launch job 15 on n3
at 620s submit -w n3 --gres gpu:2 -t 500s --runs 100s
> at 610s job 14 COMPLETED
> at 610s terminate job 14 on n3
> job 16
> at 620s launch job 16 on n3
at 621s show gres
> n3 gpu:a100:4(IDX:0-3)
>  job 15 has gpu:a100:2(IDX:1-2) of n3
>  job 16 has gpu:a100:2(IDX:0,3) of n3
An agent that finds fewer: the node is drained.
at 630s gres n4 3
at 630s show node n4
> n4 IDLE+DRAIN+INVALID_REG (inval, inval) Reason=gres/gpu:a100 count reported lower than configured (3 < 4)
at 640s gres n4 4
at 640s show node n4
> n4 IDLE+DRAIN (drain, drained) Reason=gres/gpu:a100 count reported lower than configured (3 < 4)
at 800s
> at 700s job 15 COMPLETED
> at 700s terminate job 15 on n3
> at 720s job 16 COMPLETED
> at 720s terminate job 16 on n3
conf
SelectType=select/linear
SelectTypeParameters=CR_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
GresTypes=gpu,disk
DefMemPerNode=100
NodeName=n[1-2] CPUs=8 RealMemory=1000 Gres=gpu:2,disk:2G
NodeName=n[3-4] CPUs=8 RealMemory=1000
NodeName=n5 CPUs=8 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
Whole nodes: those that have some; and what is counted by the thousand.
at 801s submit --gres gpu:1,disk:1G -t 100s --runs 50s
> job 17
> at 801s launch job 17 on n1
at 801s submit --gres gpu:1,disk:1500M -t 100s --runs 50s
> job 18
> at 801s launch job 18 on n2
at 801s submit --gpus 2 -t 100s --runs 50s
> job 19
at 802s show gres
> n1 gpu:1(IDX:0),disk:1073741824
> n2 gpu:1(IDX:0),disk:1572864000
>  job 17 has gpu:1(IDX:0),disk:1073741824 of n1
>  job 18 has gpu:1(IDX:0),disk:1572864000 of n2
at 802s show jobs
> 17 low    R   0:01 1 n1
> 18 low    R   0:01 1 n2
> 19 low    PD  0:00 1 (Resources)
at 1000s show jobs
> at 851s job 17 COMPLETED
> at 851s terminate job 17 on n1
> at 851s job 18 COMPLETED
> at 851s terminate job 18 on n2
> at 851.001s launch job 19 on n1
> at 901.001s job 19 COMPLETED
> at 901.001s terminate job 19 on n1
An array's tasks have one each.
at 1000s submit --array 1-3 --gres gpu:2 -t 100s --runs 20s
> job 20
> at 1000s launch job 21 on n1
> at 1000s launch job 22 on n2
at 1001s show gres
> n1 gpu:2(IDX:0-1),disk:0
> n2 gpu:2(IDX:0-1),disk:0
>  job 21 has gpu:2(IDX:0-1) of n1
>  job 22 has gpu:2(IDX:0-1) of n2
at 1100s show jobs
> at 1020s job 21 COMPLETED
> at 1020s terminate job 21 on n1
> at 1020s job 22 COMPLETED
> at 1020s terminate job 22 on n2
> at 1020.001s launch job 20 on n1
> at 1040.001s job 20 COMPLETED
> at 1040.001s terminate job 20 on n1
end
