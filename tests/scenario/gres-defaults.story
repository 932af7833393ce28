DefCpuPerGPU and DefMemPerGPU: for jobs that ask for GPUs and say nothing of CPUs, or of memory; a partition's own come before the cluster's.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
DefCpuPerGPU=2
DefMemPerGPU=300
DefMemPerCPU=10
NodeName=n[1-2] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
PartitionName=own Nodes=ALL DefCpuPerGPU=3 DefMemPerGPU=1800
PartitionName=cpus Nodes=ALL DefCpuPerGPU=1
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit --gpus 2
> job 1
> at 1s launch job 1 on n1
at 1s show cores 1
> job 1: 4 CPUs: n1 0-1,4-5
at 2s cancel 1
> at 2s job 1 CANCELLED
> at 2s terminate job 1 on n1
at 3s submit --gres gpu:2
> job 2
> at 3s launch job 2 on n1
at 3s show cores 2
> job 2: 4 CPUs: n1 0-1,4-5
at 4s cancel 2
> at 4s job 2 CANCELLED
> at 4s terminate job 2 on n1
at 5s submit -n2 --gpus-per-task 1
> job 3
> at 5s launch job 3 on n1
at 5s show cores 3
> job 3: 4 CPUs: n1 0-1,4-5
at 6s cancel 3
> at 6s job 3 CANCELLED
> at 6s terminate job 3 on n1
at 7s submit --gpus 6
> job 4
> at 7s launch job 4 on n1
at 7s show cores 4
> job 4: 12 CPUs: n1 0-7; n2 0-1,4-5
at 8s cancel 4
> at 8s job 4 CANCELLED
> at 8s terminate job 4 on n1
What is asked for comes before.
at 9s submit --gpus 2 -c 1
> job 5
> at 9s launch job 5 on n1
at 9s show cores 5
> job 5: 1 CPUs: n1 0
at 10s cancel 5
> at 10s job 5 CANCELLED
> at 10s terminate job 5 on n1
at 11s submit --gpus 2 --cpus-per-gpu 1
> job 6
> at 11s launch job 6 on n1
at 11s show cores 6
> job 6: 2 CPUs: n1 0,4
at 12s cancel 6
> at 12s job 6 CANCELLED
> at 12s terminate job 6 on n1
at 13s submit -n1
> job 7
> at 13s launch job 7 on n1
at 13s show cores 7
> job 7: 1 CPUs: n1 0
at 14s cancel 7
> at 14s job 7 CANCELLED
> at 14s terminate job 7 on n1
Of memory: 1800 MB a GPU are enough for two of them on each node, also beside CPUs that are asked for.
at 15s submit -p own --gpus 4
> job 8
> at 15s launch job 8 on n1
at 15s show cores 8
> job 8: 12 CPUs: n1 0-2,4-6; n2 0-2,4-6
at 15s show gres
> n1 gpu:2(IDX:0-1)
> n2 gpu:2(IDX:0-1)
>  job 8 has gpu:2(IDX:0-1) of n1
>  job 8 has gpu:2(IDX:0-1) of n2
at 16s cancel 8
> at 16s job 8 CANCELLED
> at 16s terminate job 8 on n1
at 17s submit -p own --gpus 4 -n1 -c1 --mem 100
> job 9
> at 17s launch job 9 on n1
at 17s show gres
> n1 gpu:4(IDX:0-3)
>  job 9 has gpu:4(IDX:0-3) of n1
at 18s cancel 9
> at 18s job 9 CANCELLED
> at 18s terminate job 9 on n1
at 19s submit -p own -N1 --gpus 3
> refused: Requested node configuration is not available
at 19s submit -p cpus --gpus 3
> job 10
> at 19s launch job 10 on n1
at 19s show cores 10
> job 10: 3 CPUs: n1 0-1,4
