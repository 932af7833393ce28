Cores and memory that are kept for the system: jobs do not get them, unless AllowSpecResourcesUsage lets a job say what is kept.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AllowSpecResourcesUsage=YES
NodeName=n1 CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000 CoreSpecCount=3 MemSpecLimit=500
NodeName=n2 CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000 CpuSpecList=0,1,8
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
The last core of each socket in turn is kept: a whole node has the others.
at 1s submit -w n1 --exclusive
> job 1
> at 1s launch job 1 on n1
at 1s show cores 1
> job 1: 10 CPUs: n1 0-2,4-5
at 1s show node n1
> n1 ALLOCATED (alloc, allocated)
The cores of CpuSpecList are kept, with all of their CPUs.
at 2s submit -w n2 -n1 -c12
> job 2
> at 2s launch job 2 on n2
at 2s show cores 2
> job 2: 12 CPUs: n2 1-3,5-7
at 2s cancel 1
> at 2s job 1 CANCELLED
> at 2s terminate job 1 on n1
at 2s cancel 2
> at 2s job 2 CANCELLED
> at 2s terminate job 2 on n2
More than jobs can have is refused.
at 3s submit -w n1 -n1 -c11
> refused: Requested node configuration is not available
at 3s submit -w n1 -n1 --mem-per-node 3600
> refused: Requested node configuration is not available
at 3s submit -w n1 -n1 --mem-per-node 3500
> job 3
> at 3s launch job 3 on n1
at 3s cancel 3
> at 3s job 3 CANCELLED
> at 3s terminate job 3 on n1
A job that says what is kept has the node alone (the field is 1 more than -S).
at 4s submit -w n1 --core-spec 1 --runs 10s
> job 4
> at 4s launch job 4 on n1
at 4s show cores 4
> job 4: 16 CPUs: n1 0-7
at 4s submit -w n2 --thread-spec 3 --runs 10s
> job 5
> at 4s launch job 5 on n2
at 4s show cores 5
> job 5: 12 CPUs: n2 1-3,5-7
at 4s submit -w n1 --core-spec 5 --runs 10s
> job 6
at 5s show jobs
>  4 main   R   0:01 1 n1
>  5 main   R   0:01 1 n2
>  6 main   PD  0:00 1 (Resources)
What it leaves alone no other job gets.
at 20s show cores 6
> at 14s job 4 COMPLETED
> at 14s terminate job 4 on n1
> at 14s job 5 COMPLETED
> at 14s terminate job 5 on n2
> at 14.001s launch job 6 on n1
> job 6: 8 CPUs: n1 0-1,4-5
at 20s submit -w n1 -n1 --mem-per-node 1
> job 7
at 21s show jobs
>  6 main   R   0:06 1 n1
>  7 main   PD  0:00 1 (Resources)
