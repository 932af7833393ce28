Shards are parts of GPUs: a job has all of its shards of one GPU, which is not given out whole meanwhile, and no shards of a GPU that is.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
GresTypes=gpu,shard
AccountingStorageTRES=gres/gpu,gres/shard
NodeName=n1 CPUs=16 Gres=gpu:2,shard:8
NodeName=n2 CPUs=16 Gres=shard:b:3,gpu:a:1,gpu:b:2
PartitionName=DEFAULT Nodes=ALL MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
gres.conf NodeName=n1 Name=gpu File=/dev/nvidia[0-1]
gres.conf NodeName=n1 Name=shard Count=8
gres.conf NodeName=n2 Name=gpu Type=a File=/dev/nvidia0
gres.conf NodeName=n2 Name=gpu Type=b File=/dev/nvidia[1-2]
gres.conf NodeName=n2 Name=shard Count=1 File=/dev/nvidia1
gres.conf NodeName=n2 Name=shard Count=2 File=/dev/nvidia2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s submit --gres shard:3 -w n1 -t 100s --runs 50s
> job 1
> at 0s launch job 1 on n1
at 0s submit --gres shard:2 -w n1 -t 100s --runs 60s
> job 2
> at 0s launch job 2 on n1
at 0s submit --gres shard:1 -w n1 -t 100s --runs 70s
> job 3
> at 0s launch job 3 on n1
at 0s show gres
> n1 gpu:0,shard:6(4/4,2/4)
>  job 1 has shard:3(3/4,0/4) of n1
>  job 2 has shard:2(0/4,2/4) of n1
>  job 3 has shard:1(1/4,0/4) of n1
Six are used, and no GPU has three left; none is free as a whole.
at 1s submit --gres shard:3 -w n1 -t 100s --runs 20s
> job 4
at 1s submit --gres gpu:1 -w n1 -t 100s --runs 20s
> job 5
at 1s show jobs
>  1 low    R   0:01 1 n1
>  2 low    R   0:01 1 n1
>  3 low    R   0:01 1 n1
>  4 low    PD  0:00 1 (Resources)
>  5 low    PD  0:00 1 (Resources)
at 1s submit --gres shard:5 -w n1
> refused: Requested node configuration is not available
at 1s submit --gres shard:1,gpu:1
> refused: Invalid generic resource (gres) specification (gres/gpu and gres/shard are not given to one job)
at 1s submit --gres shard:c:1
> refused: Invalid generic resource (gres) specification (no node has gres/shard:c)
Of n2 the GPU of another type has none, and each of the others as many as its file says.
at 2s submit --gres shard:b:2 -w n2 -t 100s --runs 50s
> job 6
> at 2s launch job 6 on n2
at 2s submit --gres gpu:b:1 -w n2 -t 100s --runs 50s
> job 7
> at 2s launch job 7 on n2
at 2s submit --gres shard:1 -w n2 -t 100s --runs 20s
> job 8
at 2s submit --gres gpu:1 -w n2 -t 100s --runs 20s
> job 9
> at 2s launch job 9 on n2
at 2s show gres
> n1 gpu:0,shard:6(4/4,2/4)
> n2 shard:b:2(0/1,2/2),gpu:a:1(IDX:0),gpu:b:1(IDX:1)
>  job 1 has shard:3(3/4,0/4) of n1
>  job 2 has shard:2(0/4,2/4) of n1
>  job 3 has shard:1(1/4,0/4) of n1
>  job 6 has shard:b:2(0/1,2/2) of n2
>  job 7 has gpu:b:1(IDX:1) of n2
>  job 9 has gpu:a:1(IDX:0) of n2
at 2s show jobs
>  1 low    R   0:02 1 n1
>  2 low    R   0:02 1 n1
>  3 low    R   0:02 1 n1
>  4 low    PD  0:00 1 (Resources)
>  5 low    PD  0:00 1 (Resources)
>  6 low    R   0:00 1 n2
>  7 low    R   0:00 1 n2
>  8 low    PD  0:00 1 (Resources)
>  9 low    R   0:00 1 n2
The GPU is whole again when all of its shards are back.
at 200s show jobs
> at 22s job 9 COMPLETED
> at 22s terminate job 9 on n2
> at 50s job 1 COMPLETED
> at 50s terminate job 1 on n1
> at 50.001s launch job 4 on n1
> at 52s job 6 COMPLETED
> at 52s terminate job 6 on n2
> at 52s job 7 COMPLETED
> at 52s terminate job 7 on n2
> at 52.001s launch job 8 on n2
> at 60s job 2 COMPLETED
> at 60s terminate job 2 on n1
> at 60.001s launch job 5 on n1
> at 70s job 3 COMPLETED
> at 70s terminate job 3 on n1
> at 70.001s job 4 COMPLETED
> at 70.001s terminate job 4 on n1
> at 72.001s job 8 COMPLETED
> at 72.001s terminate job 8 on n2
> at 80.001s job 5 COMPLETED
> at 80.001s terminate job 5 on n1
A preemptor preempts jobs with shards of the GPU that it takes: all of them for a whole GPU, the fewest for shards.
at 200s submit --gres shard:2 -w n1 -t 100s --runs 50s
> job 10
> at 200s launch job 10 on n1
at 200s submit --gres shard:2 -w n1 -t 100s --runs 50s
> job 11
> at 200s launch job 11 on n1
at 200s submit --gres shard:4 -w n1 -t 100s --runs 50s
> job 12
> at 200s launch job 12 on n1
at 201s submit -p high --gres shard:1 -w n1 -t 100s --runs 10s
> job 13
> at 201s job 10 is requeued
> at 201s terminate job 10 on n1
at 202s show jobs
> at 201.001s launch job 13 on n1
> 10 low    PD  0:00 1 (Resources)
> 11 low    R   0:02 1 n1
> 12 low    R   0:02 1 n1
> 13 high   R   0:00 1 n1
at 202s show gres
> n1 gpu:0,shard:7(3/4,4/4)
>  job 11 has shard:2(2/4,0/4) of n1
>  job 12 has shard:4(0/4,4/4) of n1
>  job 13 has shard:1(1/4,0/4) of n1
at 203s submit -p high --gres gpu:1 -w n1 -t 100s --runs 10s
> job 14
> at 203s job 12 is requeued
> at 203s terminate job 12 on n1
at 204s show jobs
> at 203.001s launch job 14 on n1
> 10 low    PD  0:00 1 (Resources)
> 11 low    R   0:04 1 n1
> 12 low    PD  0:00 1 (Resources)
> 13 high   R   0:02 1 n1
> 14 high   R   0:00 1 n1
at 204s show gres
> n1 gpu:1(IDX:1),shard:3(3/4,0/4)
>  job 11 has shard:2(2/4,0/4) of n1
>  job 13 has shard:1(1/4,0/4) of n1
>  job 14 has gpu:1(IDX:1) of n1
Whole nodes have their GPUs, and no shards.
at 500s submit --exclusive -w n1 -t 100s --runs 10s
> at 211.001s job 13 COMPLETED
> at 211.001s terminate job 13 on n1
> at 211.002s launch job 10 on n1
> at 213.001s job 14 COMPLETED
> at 213.001s terminate job 14 on n1
> at 213.002s launch job 12 on n1
> at 250s job 11 COMPLETED
> at 250s terminate job 11 on n1
> at 261.002s job 10 COMPLETED
> at 261.002s terminate job 10 on n1
> at 263.002s job 12 COMPLETED
> at 263.002s terminate job 12 on n1
> job 15
> at 500s launch job 15 on n1
at 501s show gres
> n1 gpu:2(IDX:0-1),shard:0(0/4,0/4)
>  job 15 has gpu:2(IDX:0-1) of n1
Tasks that have their own have them of one GPU.
at 600s submit -n2 --gres-per-task shard:2 -w n1 -t 100s --runs 10s
> at 510s job 15 COMPLETED
> at 510s terminate job 15 on n1
> job 16
> at 600s launch job 16 on n1
at 600s submit -n3 --gres-per-task shard:2 -w n1 -t 100s --runs 10s
> job 17
> at 600s launch job 17 on n1
at 601s show gres
> n1 gpu:0,shard:8(4/4,4/4)
> n2 shard:b:2(0/1,2/2),gpu:a:0,gpu:b:0
>  job 16 has shard:4(4/4,0/4) of n1
>  job 17 has shard:4(0/4,4/4) of n1
>  job 17 has shard:b:2(0/1,2/2) of n2
