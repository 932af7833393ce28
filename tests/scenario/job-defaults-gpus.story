DefMemPerGPU and DefCpuPerGPU: a job that waits and says nothing of the memory or the CPUs of its GPUs has in each of its partitions what that says there, and what it says when it starts.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
DefMemPerGPU=100
DefMemPerCPU=10
NodeName=n[1-2] CPUs=16 RealMemory=8000 Gres=gpu:4
PartitionName=a Nodes=n1 Default=YES DefMemPerGPU=2000 DefCpuPerGPU=2
PartitionName=b Nodes=n2 DefMemPerGPU=700 DefCpuPerGPU=3
PartitionName=c Nodes=n2 DefMemPerGPU=700 MaxMemPerCPU=500
PartitionName=d Nodes=n2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N1 -p a --exclusive --all-memory --runs 100000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -p a,b --gres gpu:2 --runs 10s
> job 2
> at 2s launch job 2 on n2
at 2s submit -p a,b -n2 --gpus-per-task 1 --runs 10s
> job 3
> at 2s launch job 3 on n2
at 3s show sizes 2
> job 2 in b, UNLIMITED: 6 CPUs a node; 3 CPUs a GPU; 1400 MB a node; 700 MB a GPU; has 6 CPUs, 1400 MB
at 3s show sizes 3
> job 3 in b, UNLIMITED: 3 CPUs a task; 3 CPUs a GPU; 234 MB a CPU; 700 MB a GPU; has 6 CPUs, 1404 MB
at 20s submit -p a,c --gpus 2 -n1 --runs 10s
> at 12s job 2 COMPLETED
> at 12s terminate job 2 on n2
> at 12s job 3 COMPLETED
> at 12s terminate job 3 on n2
> job 4
> at 20s launch job 4 on n2
at 20s submit -p a,c -n1 --gpus-per-task 1 --runs 10s
> job 5
> at 20s launch job 5 on n2
MaxMemPerCPU is for the memory of GPUs too, of which it is not known at first how many a node gives.
at 21s show sizes 4
> job 4 in c, UNLIMITED: 700 MB a GPU; has 3 CPUs, 1400 MB
at 21s show sizes 5
> job 5 in c, UNLIMITED: 2 CPUs a task; 350 MB a CPU; 700 MB a GPU; has 2 CPUs, 700 MB
Tasks of an array, too.
at 40s submit -p a,b --gpus 1 -n1 --array 1-2 --runs 10s
> at 30s job 4 COMPLETED
> at 30s terminate job 4 on n2
> at 30s job 5 COMPLETED
> at 30s terminate job 5 on n2
> job 6
> at 40s launch job 7 on n2
> at 40s launch job 6 on n2
at 41s show sizes 6
> job 6 in b, UNLIMITED: 3 CPUs a GPU; 700 MB a GPU; has 3 CPUs, 700 MB
at 41s show sizes 7
> job 7 in b, UNLIMITED: 3 CPUs a GPU; 700 MB a GPU; has 3 CPUs, 700 MB
What waits, while something else is configured or asked for.
at 60s submit -p a --hold --gres gpu:2
> at 50s job 7 COMPLETED
> at 50s terminate job 7 on n2
> at 50s job 6 COMPLETED
> at 50s terminate job 6 on n2
> job 8
at 60s submit -p b,d --hold --gres gpu:2 --mem 50
> job 9
at 60s submit -p d --hold --gres gpu:2 --cpus-per-gpu 4
> job 10
at 61s show sizes 8
> job 8 in a, UNLIMITED: 4 CPUs a node; 2 CPUs a GPU; 4000 MB a node; 2000 MB a GPU;
at 61s show sizes 9
> job 9 in b, UNLIMITED: 6 CPUs a node; 3 CPUs a GPU; 50 MB a node;
at 61s show sizes 10
> job 10 in d, UNLIMITED: 8 CPUs a node; 4 CPUs a GPU; 200 MB a node; 100 MB a GPU;
at 62s update owner JobId=8 Partition=b
at 62s update owner JobId=9 MinMemoryNode=60
at 62s update owner JobId=10 Partition=a
at 63s show sizes 8
> job 8 in b, UNLIMITED: 6 CPUs a node; 3 CPUs a GPU; 1400 MB a node; 700 MB a GPU;
at 63s show sizes 9
> job 9 in b, UNLIMITED: 6 CPUs a node; 3 CPUs a GPU; 60 MB a node;
at 63s show sizes 10
> job 10 in a, UNLIMITED: 8 CPUs a node; 4 CPUs a GPU; 4000 MB a node; 2000 MB a GPU;
at 64s update owner JobId=8 Gres=gpu:3
at 64s show sizes 8
> job 8 in b, UNLIMITED: 9 CPUs a node; 3 CPUs a GPU; 2100 MB a node; 700 MB a GPU;
at 65s update owner JobId=8 CPUsPerTask=1
at 65s show sizes 8
> job 8 in b, UNLIMITED: 1 CPUs a task; 2100 MB a node; 700 MB a GPU;
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
GresTypes=gpu
DefMemPerNode=44
NodeName=n[1-2] CPUs=16 RealMemory=8000 Gres=gpu:4
PartitionName=a Nodes=n1 Default=YES
PartitionName=b Nodes=n2 DefMemPerGPU=900 DefCpuPerGPU=1
PartitionName=c Nodes=n2
PartitionName=d Nodes=n2
end
at 70s show sizes 8
> job 8 in b, UNLIMITED: 1 CPUs a task; 2700 MB a node; 900 MB a GPU;
at 70s show sizes 9
> job 9 in b, UNLIMITED: 2 CPUs a node; 1 CPUs a GPU; 60 MB a node;
at 70s show sizes 10
> job 10 in a, UNLIMITED: 8 CPUs a node; 4 CPUs a GPU; 44 MB a node;
at 71s release 8
> at 71s launch job 8 on n2
at 72s show sizes 8
> job 8 in b, UNLIMITED: 1 CPUs a task; 2700 MB a node; 900 MB a GPU; has 1 CPUs, 2700 MB
