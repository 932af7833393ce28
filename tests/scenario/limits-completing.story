A job that is over counts for no limit any more, though a node has not let go of it yet: those behind others that waited for that start at once.
conf
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=ALL Default=YES
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s sacctmgr add account team
at 1s sacctmgr add user alice account=team maxjobs=1
at 1s sacctmgr add user carol account=team
at 2s submit --user=alice -w n1 -n1 -t 10m --runs 20s
> job 1
> at 2s launch job 1 on n1
at 2s submit --user=carol -w n1 -n1 -t 20m --runs 15m
> job 2
> at 2s launch job 2 on n1
at 3s submit --user=carol -N3 -n6 -t 10m --runs 10s
> job 3
at 4s submit --user=alice -n1 -t 5m --runs 10s
> job 4
at 5s fault unkillable n1
at 30s show jobs
> at 22s job 1 COMPLETED
> at 22s terminate job 1 on n1
> at 22s launch job 4 on n2
>  1 p      CG  0:20 1 n1
>  2 p      R   0:28 1 n1
>  3 p      PD  0:00 3 (Resources)
>  4 p      R   0:08 1 n2
