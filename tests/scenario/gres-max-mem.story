MaxMemPerCPU, and --gpus with so much memory for each: a node that gives some of them gives the CPUs for their memory, and no more of them than it has CPUs for.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
NodeName=n1 CPUs=4 RealMemory=8000 Gres=gpu:4
NodeName=n2 CPUs=16 RealMemory=8000 Gres=gpu:4
PartitionName=a Nodes=n[1-2] Default=YES MaxMemPerCPU=500
PartitionName=b Nodes=n[1-2]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -p a --gpus 2 --mem-per-gpu 900 --runs 10s
> job 1
> at 1s launch job 1 on n1
at 2s show sizes 1
> job 1 in a, UNLIMITED: 900 MB a GPU; has 4 CPUs, 1800 MB
at 2s show cores 1
> job 1: 4 CPUs: n1 0-3
n1 has CPUs for the memory of 2, not of 3.
at 20s submit -p a --gpus 5 --mem-per-gpu 900 --runs 10s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> job 2
> at 20s launch job 2 on n1
at 21s show sizes 2
> job 2 in a, UNLIMITED: 900 MB a GPU; has 10 CPUs, 4500 MB
at 21s show cores 2
> job 2: 10 CPUs: n1 0-3; n2 0-5
at 21s show gres
> n1 gpu:2(IDX:0-1)
> n2 gpu:3(IDX:0-2)
>  job 2 has gpu:2(IDX:0-1) of n1
>  job 2 has gpu:3(IDX:0-2) of n2
at 40s submit -p a -N2 --gpus 7 --mem-per-gpu 900
> at 30s job 2 COMPLETED
> at 30s terminate job 2 on n1
> refused: Requested node configuration is not available
at 40s submit -p b -N2 --gpus 7 --mem-per-gpu 900 --runs 10s
> job 3
> at 40s launch job 3 on n1
at 41s show sizes 3
> job 3 in b, UNLIMITED: 900 MB a GPU; has 2 CPUs, 6300 MB
at 60s submit -p a --gpus 4 -c 1 -n 6 --mem-per-gpu 900 --runs 10s
> at 50s job 3 COMPLETED
> at 50s terminate job 3 on n1
> job 4
> at 60s launch job 4 on n2
at 61s show sizes 4
> job 4 in a, UNLIMITED: 1 CPUs a task; 900 MB a GPU; has 8 CPUs, 3600 MB
at 61s show cores 4
> job 4: 8 CPUs: n2 0-7
at 80s submit -p a --gpus 2 --cpus-per-gpu 3 --mem-per-gpu 900 --runs 10s
> at 70s job 4 COMPLETED
> at 70s terminate job 4 on n2
> job 5
> at 80s launch job 5 on n1
at 81s show sizes 5
> job 5 in a, UNLIMITED: 3 CPUs a GPU; 900 MB a GPU; has 6 CPUs, 1800 MB
at 81s show cores 5
> job 5: 6 CPUs: n1 0-2; n2 0-2
at 100s submit -p a --gres gpu:2 --mem-per-gpu 800 --runs 10s
> at 90s job 5 COMPLETED
> at 90s terminate job 5 on n1
> job 6
> at 100s launch job 6 on n1
at 101s show sizes 6
> job 6 in a, UNLIMITED: 4 CPUs a node; 1600 MB a node; 800 MB a GPU; has 4 CPUs, 1600 MB
