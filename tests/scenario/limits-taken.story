A QOS that is taken from an account while a job of it waits: it waits on, until it may have it again.
conf
NodeName=n1 CPUs=4
PartitionName=p Nodes=ALL Default=YES
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageEnforce=associations,qos
end
at 0s hush agents
> at 0s n1 registers
at 1s sacctmgr add qos few
at 1s sacctmgr add account physics qos=normal,few
at 1s sacctmgr add user alice account=physics
at 2s submit --user=alice -n 4 --runs 60s
> job 1
> at 2s launch job 1 on n1
at 3s submit --user=alice -n 4 -q few --runs 10s
> job 2
at 4s submit --user=alice -n 4 --runs 10s
> job 3
at 5s sacctmgr modify account physics set qos-=few
at 6s show jobs
>  1 p      R   0:04 1 n1
>  2 p      PD  0:00 1 (InvalidQOS)
>  3 p      PD  0:00 1 (Resources)
at 70s show jobs
> at 62s job 1 COMPLETED
> at 62s terminate job 1 on n1
> at 62.001s launch job 3 on n1
>  2 p      PD  0:00 1 (InvalidQOS)
>  3 p      R   0:07 1 n1
at 80s sacctmgr modify account physics set qos+=few
> at 72.001s job 3 COMPLETED
> at 72.001s terminate job 3 on n1
> at 80s launch job 2 on n1
at 100s show jobs
> at 90s job 2 COMPLETED
> at 90s terminate job 2 on n1
