Job 2 waits for four nodes, with a plan but without keeping others of its partition waiting (it asks for a feature); job 3 wants a whole node for longer, which the plan is in the way of.  When another one of its account has started, job 2 is beyond a limit: its plan goes, and job 3 starts at once.
conf
NodeName=n[1-4] CPUs=4 Feature=f
NodeName=n5 CPUs=2
PartitionName=p Nodes=n[1-4] Default=YES OverSubscribe=EXCLUSIVE
PartitionName=all Nodes=ALL
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 1s sacctmgr add account team grptres=node=4
at 1s sacctmgr add account free
at 1s sacctmgr add user tim account=team
at 1s sacctmgr add user carol account=free
at 2s submit --user=carol -N1 -w n1 -t 10m --runs 60s
> job 1
> at 2s launch job 1 on n1
at 3s submit --user=tim -N4 -C f -t 10m --runs 5s
> job 2
at 4s submit --user=carol -N1 -t 1h --runs 5s
> job 3
at 5s show jobs
>  1 p      R   0:03 1 n1
>  2 p      PD  0:00 4 (Resources)
>  3 p      PD  0:00 1 (Resources)
at 6s submit --user=tim -p all -N1 -w n5 -t 20m --runs 60s
> job 4
> at 6s launch job 4 on n5
> at 6s launch job 3 on n2
at 7s show jobs
>  1 p      R   0:05 1 n1
>  2 p      PD  0:00 4 (AssocGrpNodeLimit)
>  3 p      R   0:01 1 n2
>  4 all    R   0:01 1 n5
