A limit that the components reach together, on whole nodes: those before the one that it refuses make do with smaller ones.
conf
AccountingStorageEnforce=limits
NodeName=n1 CPUs=8 Weight=1
NodeName=n[2-4] CPUs=4 Weight=2
PartitionName=p Nodes=n[1-4] Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s sacctmgr add account a
at 0s sacctmgr add user user account=a grptres=cpu=12
at 1s submit -N1 --exclusive --runs 10s : -N1 --exclusive : -N1 --exclusive
> job 1, with components up to 3
> at 1s launch job 1 on n2
at 2s show jobs
>  1 p      R   0:01 1 n2
>  2 p      R   0:01 1 n3
>  3 p      R   0:01 1 n4
