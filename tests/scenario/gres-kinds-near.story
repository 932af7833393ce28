GPUs of several types for the whole job, where gres.conf says which cores lie near which.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[1-3] CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:a100:2,gpu:v100:2
PartitionName=one Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=two Nodes=n[1-2] MaxTime=INFINITE
PartitionName=all Nodes=ALL MaxTime=INFINITE
gres.conf NodeName=n[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3
gres.conf NodeName=n[1-3] Name=gpu Type=v100 File=/dev/nvidia[2-3] Cores=4-7
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit --gpus a100:1,v100:1 -n4 --enforce-binding -t 100s --runs 10s
> job 1
> at 0s launch job 1 on n1
at 0s show cores 1
> job 1: 4 CPUs: n1 0-1,4-5
One task cannot be near both, and has but one core.
at 20s submit --gpus a100:1,v100:1 -n1 --enforce-binding -t 100s --runs 10s
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> refused: Requested node configuration is not available
at 20s submit --gpus a100:1,v100:1 -n1 -t 100s --runs 10s
> job 2
> at 20s launch job 2 on n1
at 20s show cores 2
> job 2: 1 CPUs: n1 0
Over two nodes.
at 40s submit -p two --gpus a100:1,v100:1 -N2 -n4 --enforce-binding -t 100s --runs 10s
> at 30s job 2 COMPLETED
> at 30s terminate job 2 on n1
> job 3
> at 40s launch job 3 on n1
at 40s show cores 3
> job 3: 4 CPUs: n1 0-2; n2 4
at 40s show gres
> n1 gpu:a100:1(IDX:0),gpu:v100:0
> n2 gpu:a100:0,gpu:v100:1(IDX:2)
>  job 3 has gpu:a100:1(IDX:0) of n1
>  job 3 has gpu:v100:1(IDX:2) of n2
at 60s submit -p two --gpus a100:1,v100:1 -N2 -n10 -t 100s --runs 10s
> at 50s job 3 COMPLETED
> at 50s terminate job 3 on n1
> job 4
> at 60s launch job 4 on n1
at 60s show cores 4
> job 4: 10 CPUs: n1 0-7; n2 4-5
at 80s submit -p two --gpus a100:2,v100:2 -N2 -n16 --enforce-binding -t 100s --runs 10s
> at 70s job 4 COMPLETED
> at 70s terminate job 4 on n1
> job 5
> at 80s launch job 5 on n1
at 80s show cores 5
> job 5: 16 CPUs: n1 0-7; n2 0-7
A job has the cores near the one type.
at 100s submit --gres gpu:v100:1 -n4 --enforce-binding -t 300s --runs 50s
> at 90s job 5 COMPLETED
> at 90s terminate job 5 on n1
> job 6
> at 100s launch job 6 on n1
at 101s submit --gpus a100:1,v100:1 -n2 --enforce-binding -t 100s --runs 10s
> job 7
at 101s submit -p all --gpus a100:1,v100:1 -n2 -x n3 --enforce-binding -t 100s --runs 10s
> job 8
> at 101s launch job 8 on n2
at 102s show jobs
>  6 one    R   0:02 1 n1
>  7 one    PD  0:00 1 (Resources)
>  8 all    R   0:01 1 n2
at 102s show gres
> n1 gpu:a100:0,gpu:v100:1(IDX:2)
> n2 gpu:a100:1(IDX:0),gpu:v100:1(IDX:2)
>  job 6 has gpu:v100:1(IDX:2) of n1
>  job 8 has gpu:a100:1(IDX:0),gpu:v100:1(IDX:2) of n2
CPUs for each GPU, whichever it is.
at 200s submit -p all --gpus a100:3,v100:2 --cpus-per-gpu 3 -t 100s --runs 10s
> at 111s job 8 COMPLETED
> at 111s terminate job 8 on n2
> at 150s job 6 COMPLETED
> at 150s terminate job 6 on n1
> at 150.001s launch job 7 on n1
> at 160.001s job 7 COMPLETED
> at 160.001s terminate job 7 on n1
> job 9
> at 200s launch job 9 on n1
at 200s show gres
> n1 gpu:a100:1(IDX:0),gpu:v100:1(IDX:2)
> n2 gpu:a100:1(IDX:0),gpu:v100:1(IDX:2)
> n3 gpu:a100:1(IDX:0),gpu:v100:0
>  job 9 has gpu:a100:1(IDX:0),gpu:v100:1(IDX:2) of n1
>  job 9 has gpu:a100:1(IDX:0),gpu:v100:1(IDX:2) of n2
>  job 9 has gpu:a100:1(IDX:0) of n3
