What a job has by default is its own in each of its partitions for limits too: in a job 2 would have more than its account may, in b it waits for room, and no pass looks in vain for others that could have that.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageEnforce=limits
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=a Nodes=n1 Default=YES DefMemPerNode=900
PartitionName=b Nodes=n2 DefMemPerNode=100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s sacctmgr add account x grptres=mem=500
at 1s sacctmgr add account y
at 1s sacctmgr add user alice account=x
at 1s sacctmgr add user bob account=y
at 2s submit --user=bob -p b -N1 --exclusive --runs 100s
> job 1
> at 2s launch job 1 on n2
at 3s submit --user=alice -p a,b -n1 --runs 10s
> job 2
at 4s show jobs
>  1 b      R   0:02 1 n2
>  2 a      PD  0:00 1 (Resources)
at 200s show jobs
> at 102s job 1 COMPLETED
> at 102s terminate job 1 on n2
> at 102.001s launch job 2 on n2
> at 112.001s job 2 COMPLETED
> at 112.001s terminate job 2 on n2
