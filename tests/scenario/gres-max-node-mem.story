MaxMemPerNode, and memory for each GPU: no node gives more of them than that allows, and a job that needs more of each node waits for another limit.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
NodeName=n[1-2] CPUs=8 RealMemory=8000 Gres=gpu:4
PartitionName=a Nodes=n[1-2] Default=YES MaxMemPerNode=2000
PartitionName=b Nodes=n[1-2]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -p a --gpus 4 --mem-per-gpu 900 --runs 10s
> job 1
> at 1s launch job 1 on n1
at 2s show sizes 1
> job 1 in a, UNLIMITED: 900 MB a GPU; has 2 CPUs, 3600 MB
at 2s show gres
> n1 gpu:2(IDX:0-1)
> n2 gpu:2(IDX:0-1)
>  job 1 has gpu:2(IDX:0-1) of n1
>  job 1 has gpu:2(IDX:0-1) of n2
at 20s submit -p a --gpus 5 --mem-per-gpu 900 --runs 10s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> job 2
at 21s show job 2
> job 2 PENDING Reason=MaxMemPerLimit Priority=4294901758 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 22s submit -p a -N1 --gpus 3 --mem-per-gpu 900 --runs 10s
> job 3
at 23s show job 3
> job 3 PENDING Reason=MaxMemPerLimit Priority=4294901757 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 24s submit -p a -N1 -n3 --gpus-per-task 1 --mem-per-gpu 900 --runs 10s
> job 4
at 25s show job 4
> job 4 PENDING Reason=MaxMemPerLimit Priority=4294901756 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 26s submit -p a --gres gpu:3 --mem-per-gpu 900 --runs 10s
> job 5
at 27s show job 5
> job 5 PENDING Reason=MaxMemPerLimit Priority=4294901755 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 60s submit -p a,b -N1 --gpus 3 --mem-per-gpu 900 --runs 10s
> job 6
> at 60s launch job 6 on n1
at 61s show sizes 6
> job 6 in b, UNLIMITED: 900 MB a GPU; has 1 CPUs, 2700 MB
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
NodeName=n[1-2] CPUs=8 RealMemory=8000 Gres=gpu:4
PartitionName=a Nodes=n[1-2] Default=YES MaxMemPerNode=2700
PartitionName=b Nodes=n[1-2]
end
at 100s show sizes 2
> at 70s job 6 COMPLETED
> at 70s terminate job 6 on n1
> at 70.001s launch job 2 on n1
> at 80.001s job 2 COMPLETED
> at 80.001s terminate job 2 on n1
> at 80.001s launch job 3 on n2
> at 80.002s launch job 4 on n1
> at 90.001s job 3 COMPLETED
> at 90.001s terminate job 3 on n2
> at 90.002s job 4 COMPLETED
> at 90.002s terminate job 4 on n1
> at 90.002s launch job 5 on n2
> job 2 in a, UNLIMITED: 900 MB a GPU; has 2 CPUs, 4500 MB
at 100s show sizes 3
> job 3 in a, UNLIMITED: 900 MB a GPU; has 1 CPUs, 2700 MB
at 100s show sizes 4
> job 4 in a, UNLIMITED: 900 MB a CPU; 900 MB a GPU; has 3 CPUs, 2700 MB
at 100s show sizes 5
> job 5 in a, UNLIMITED: 2700 MB a node; 900 MB a GPU; has 1 CPUs, 2700 MB
