A job that keeps to the cores near its GPUs stops jobs that hold such, and none for cores that it could not use; one that only prefers them stops
none for it. Whole nodes are as they were.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
GresTypes=gpu
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:4
PartitionName=DEFAULT Nodes=n1 MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
gres.conf Name=gpu File=/dev/nvidia[0-1] Cores=0-3
gres.conf Name=gpu File=/dev/nvidia[2-3] Cores=4-7
end
at 0s hush agents
> at 0s n1 registers
at 0s submit -n2 --gres gpu:2 --enforce-binding -t 100s --runs 50s
> job 1
> at 0s launch job 1 on n1
at 0s submit -n4 --gres gpu:1 --enforce-binding -t 100s --runs 50s
> job 2
> at 0s launch job 2 on n1
at 0s show cores 1
> job 1: 2 CPUs: n1 0-1
at 0s show cores 2
> job 2: 4 CPUs: n1 4-7
at 0s show gres
> n1 gpu:3(IDX:0-2)
>  job 1 has gpu:2(IDX:0-1) of n1
>  job 2 has gpu:1(IDX:2) of n1
One GPU is free, and two cores, which are not near it: one of the two jobs is preempted, and gets no GPU while all cores near it are taken.
at 1s submit -n1 -p high --gres gpu:1 --enforce-binding -t 100s --runs 20s
> job 3
> at 1s job 1 is requeued
> at 1s terminate job 1 on n1
at 2s show gres
> at 1.001s launch job 3 on n1
> n1 gpu:2(IDX:0,2)
>  job 2 has gpu:1(IDX:2) of n1
>  job 3 has gpu:1(IDX:0) of n1
at 2s show cores 3
> job 3: 1 CPUs: n1 0
at 2s submit -n1 -p high --gres gpu:1 -t 100s --runs 20s
> job 4
> at 2s launch job 4 on n1
at 3s show gres
> n1 gpu:3(IDX:0-2)
>  job 2 has gpu:1(IDX:2) of n1
>  job 3 has gpu:1(IDX:0) of n1
>  job 4 has gpu:1(IDX:1) of n1
at 3s show jobs
>  1 low    PD  0:00 1 (Resources)
>  2 low    R   0:03 1 n1
>  3 high   R   0:01 1 n1
>  4 high   R   0:01 1 n1
No job is stopped for cores that are near, if others are free.
at 100s show jobs
> at 21.001s job 3 COMPLETED
> at 21.001s terminate job 3 on n1
> at 22s job 4 COMPLETED
> at 22s terminate job 4 on n1
> at 22.001s launch job 1 on n1
> at 50s job 2 COMPLETED
> at 50s terminate job 2 on n1
> at 72.001s job 1 COMPLETED
> at 72.001s terminate job 1 on n1
at 200s submit -n4 --gres gpu:1 --enforce-binding -t 100s --runs 50s
> job 5
> at 200s launch job 5 on n1
at 200s submit -n3 --gres gpu:3 -t 100s --runs 50s
> job 6
> at 200s launch job 6 on n1
at 200s submit -n1 -p high -t 100s --runs 10s
> job 7
> at 200s launch job 7 on n1
at 200s show gres
> n1 gpu:4(IDX:0-3)
>  job 5 has gpu:1(IDX:0) of n1
>  job 6 has gpu:3(IDX:1-3) of n1
at 201s show jobs
>  5 low    R   0:01 1 n1
>  6 low    R   0:01 1 n1
>  7 high   R   0:01 1 n1
conf
SelectType=select/linear
PreemptMode=OFF
GresTypes=gpu
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:4
PartitionName=DEFAULT Nodes=n1 MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
gres.conf Name=gpu File=/dev/nvidia[0-1] Cores=0-3
gres.conf Name=gpu File=/dev/nvidia[2-3] Cores=4-7
end
at 400s submit -n8 --gres gpu:1 --enforce-binding -t 100s --runs 10s
> at 210s job 7 COMPLETED
> at 210s terminate job 7 on n1
> at 250s job 5 COMPLETED
> at 250s terminate job 5 on n1
> at 250s job 6 COMPLETED
> at 250s terminate job 6 on n1
> job 8
> at 400s launch job 8 on n1
at 400s show gres
> n1 gpu:1(IDX:0)
>  job 8 has gpu:1(IDX:0) of n1
at 400s show cores 8
> job 8: 8 CPUs: n1 0-7
