MaxMemPerCPU: a job that has more memory for each CPU, asked for or by DefMemPerCPU, has as many times the CPUs, in each of its partitions as that says, and as it says when the job starts.  Slurm 22.05 gives the same in one partition; in several it goes by the first one or by the last that it has looked at.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
NodeName=n[1-2] CPUs=8 RealMemory=8000
PartitionName=a Nodes=n1 Default=YES
PartitionName=b Nodes=n2 MaxMemPerCPU=1000
PartitionName=c Nodes=n2 DefMemPerCPU=2000 MaxMemPerCPU=1000
PartitionName=e Nodes=n2 DefMemPerCPU=500
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N1 -p a --exclusive --all-memory --runs 100000s
> job 1
> at 1s launch job 1 on n1
By default: 2 CPUs of 1000 MB in c, also if it is named second.
at 2s submit -p c -n1 --runs 10s
> job 2
> at 2s launch job 2 on n2
at 3s show sizes 2
> job 2 in c, UNLIMITED: 2 CPUs a task; 1000 MB a CPU; has 2 CPUs, 2000 MB
at 4s submit -p a,c -n1 --runs 10s
> job 3
> at 4s launch job 3 on n2
at 5s show sizes 3
> job 3 in c, UNLIMITED: 2 CPUs a task; 1000 MB a CPU; has 2 CPUs, 2000 MB
Asked for: the same in b.  In a nothing is said of it.
at 6s submit -p b -n1 --mem-per-cpu 2000 --runs 10s
> job 4
> at 6s launch job 4 on n2
at 6s submit -p a,b -n1 --mem-per-cpu 2000 --runs 10s
> job 5
> at 6s launch job 5 on n2
at 7s show sizes 4
> job 4 in b, UNLIMITED: 2 CPUs a task; 1000 MB a CPU; has 2 CPUs, 2000 MB
at 7s show sizes 5
> job 5 in b, UNLIMITED: 2 CPUs a task; 1000 MB a CPU; has 2 CPUs, 2000 MB
at 20s submit -p a,b -n1 --mem 3000 --runs 10s
> at 12s job 2 COMPLETED
> at 12s terminate job 2 on n2
> at 14s job 3 COMPLETED
> at 14s terminate job 3 on n2
> at 16s job 4 COMPLETED
> at 16s terminate job 4 on n2
> at 16s job 5 COMPLETED
> at 16s terminate job 5 on n2
> job 6
> at 20s launch job 6 on n2
at 21s show sizes 6
> job 6 in b, UNLIMITED: 3 CPUs a node; 3000 MB a node; has 3 CPUs, 3000 MB
at 21s requeue 6
> at 21s job 6 is requeued
> at 21s terminate job 6 on n2
at 21.5s show sizes 6
> at 21.001s launch job 6 on n2
> job 6 in b, UNLIMITED: 3 CPUs a node; 3000 MB a node; has 3 CPUs, 3000 MB
at 22s cancel 6
> at 22s job 6 CANCELLED
> at 22s terminate job 6 on n2
While it waits: what was asked for stays what it was, whatever is made of it on the way.
at 100s submit -p b -n1 --hold --mem-per-cpu 2000 --runs 10s
> job 7
at 100s submit -p c -n1 --hold --runs 10s
> job 8
at 101s show sizes 7
> job 7 in b, UNLIMITED: 2 CPUs a task; 1000 MB a CPU;
at 101s show sizes 8
> job 8 in c, UNLIMITED: 2 CPUs a task; 1000 MB a CPU;
at 102s update owner JobId=7 Partition=a
at 102s update owner JobId=8 Partition=a
at 103s show sizes 7
> job 7 in a, UNLIMITED: 2000 MB a CPU;
at 103s show sizes 8
> job 8 in a, UNLIMITED:
at 104s update owner JobId=7 Partition=c,b
at 104s update owner JobId=8 Partition=e
at 105s show sizes 7
> job 7 in c, UNLIMITED: 2 CPUs a task; 1000 MB a CPU;
at 105s show sizes 8
> job 8 in e, UNLIMITED: 500 MB a CPU;
at 106s update owner JobId=7 MinMemoryCPU=2500
at 106s update owner JobId=8 Partition=c
at 107s show sizes 7
> job 7 in c, UNLIMITED: 3 CPUs a task; 834 MB a CPU;
at 107s show sizes 8
> job 8 in c, UNLIMITED: 2 CPUs a task; 1000 MB a CPU;
at 108s update owner JobId=7 CPUsPerTask=3
> refused: Requested node configuration is not available
at 108s update owner JobId=8 CPUsPerTask=3
at 109s show sizes 7
> job 7 in c, UNLIMITED: 3 CPUs a task; 834 MB a CPU;
at 109s show sizes 8
> job 8 in c, UNLIMITED: 6 CPUs a task; 1000 MB a CPU;
at 110s update owner JobId=7 MinMemoryCPU=500
at 110s update owner JobId=8 CPUsPerTask=1
at 111s show sizes 7
> job 7 in c, UNLIMITED: 500 MB a CPU;
at 111s show sizes 8
> job 8 in c, UNLIMITED: 2 CPUs a task; 1000 MB a CPU;
at 112s update owner JobId=7 MinMemoryNode=2500
at 113s show sizes 7
> job 7 in c, UNLIMITED: 3 CPUs a node; 2500 MB a node;
Another configuration: less by default, and less for each CPU.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
NodeName=n[1-2] CPUs=8 RealMemory=8000
PartitionName=a Nodes=n1 Default=YES
PartitionName=b Nodes=n2 MaxMemPerCPU=2000
PartitionName=c Nodes=n2 DefMemPerCPU=1000 MaxMemPerCPU=250
PartitionName=e Nodes=n2 DefMemPerCPU=500
end
at 120s show sizes 7
> job 7 in c, UNLIMITED: 10 CPUs a node; 2500 MB a node;
at 120s show sizes 8
> job 8 in c, UNLIMITED: 4 CPUs a task; 250 MB a CPU;
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
NodeName=n[1-2] CPUs=8 RealMemory=8000
PartitionName=a Nodes=n1 Default=YES
PartitionName=b Nodes=n2
PartitionName=c Nodes=n2 DefMemPerCPU=300
PartitionName=e Nodes=n2 DefMemPerCPU=500
end
at 121s show sizes 7
> job 7 in c, UNLIMITED: 2500 MB a node;
at 121s show sizes 8
> job 8 in c, UNLIMITED: 1 CPUs a task; 300 MB a CPU;
at 122s update owner JobId=7 Partition=b
at 122s show sizes 7
> job 7 in b, UNLIMITED: 2500 MB a node;
at 123s release 7
> at 123s launch job 7 on n2
at 123s release 8
> at 123s launch job 8 on n2
at 124s show sizes 7
> job 7 in b, UNLIMITED: 2500 MB a node; has 1 CPUs, 2500 MB
at 124s show sizes 8
> job 8 in c, UNLIMITED: 1 CPUs a task; 300 MB a CPU; has 1 CPUs, 300 MB
