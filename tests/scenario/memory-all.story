MaxMemPerCPU: a job that takes all memory of a node, by --mem=0 or because nothing says how much, takes as many CPUs as that is worth.  Slurm 22.05 gives the same.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MaxMemPerCPU=500
NodeName=n1 CPUs=8 RealMemory=4000
NodeName=n2 CPUs=8 RealMemory=2000 Weight=9
NodeName=n3 CPUs=4 RealMemory=4000 Weight=20
PartitionName=p Nodes=n[1-2] Default=YES
PartitionName=wide Nodes=ALL MaxMemPerCPU=1000
PartitionName=narrow Nodes=n1 MaxMemPerCPU=400
PartitionName=small Nodes=n3
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -n1 --all-memory --runs 10s
> job 1
> at 1s launch job 1 on n1
at 1s show cores 1
> job 1: 8 CPUs: n1 0-7
at 2s submit -n1 --runs 10s
> job 2
> at 2s launch job 2 on n2
at 2s show cores 2
> job 2: 4 CPUs: n2 0-3
at 20s submit -n1 --all-memory -p wide --runs 10s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> at 12s job 2 COMPLETED
> at 12s terminate job 2 on n2
> job 3
> at 20s launch job 3 on n1
at 20s show cores 3
> job 3: 4 CPUs: n1 0-3
at 21s submit -n1 --all-memory -p wide -w n3 --runs 10s
> job 4
> at 21s launch job 4 on n3
at 21s show cores 4
> job 4: 4 CPUs: n3 0-3
It has more than that where it asks for more; one that says how much it wants takes no more than that is worth.
at 40s submit -n6 --all-memory -p wide -w n1 --runs 10s
> at 30s job 3 COMPLETED
> at 30s terminate job 3 on n1
> at 31s job 4 COMPLETED
> at 31s terminate job 4 on n3
> job 5
> at 40s launch job 5 on n1
at 40s show cores 5
> job 5: 6 CPUs: n1 0-5
at 60s submit -n1 --mem 1200 --runs 10s
> at 50s job 5 COMPLETED
> at 50s terminate job 5 on n1
> job 6
> at 60s launch job 6 on n1
at 60s show cores 6
> job 6: 3 CPUs: n1 0-2
No node has so many.
at 61s submit -n1 --all-memory -p narrow --runs 10s
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 61s submit -n1 -p small --runs 10s
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 61s submit -n1 --all-memory --exclusive -p narrow --runs 10s
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 61s submit -n1 --mem 3200 -p narrow --runs 10s
> job 7
