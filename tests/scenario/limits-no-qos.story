A partition's QOS that is not there: its limits are not known, so its jobs wait for it; other partitions go on.
conf
NodeName=n1 CPUs=4
PartitionName=p Nodes=ALL Default=YES
PartitionName=vip Nodes=ALL QOS=part
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageEnforce=limits
end
at 0s hush agents
> at 0s n1 registers
at 1s sacctmgr add account theory
at 1s sacctmgr add user alice account=theory
at 2s submit --user=alice -p vip -n1 --runs 20s
> job 1
at 2s submit --user=alice -n1 --runs 20s
> job 2
> at 2s launch job 2 on n1
at 3s show jobs
>  1 vip    PD  0:00 1 (InvalidQOS)
>  2 p      R   0:01 1 n1
at 4s sacctmgr add qos part maxtrespu=cpu=1
> at 4s launch job 1 on n1
at 5s submit --user=alice -p vip -n1 --runs 20s
> job 3
at 6s show jobs
>  1 vip    R   0:02 1 n1
>  2 p      R   0:04 1 n1
>  3 vip    PD  0:00 1 (QOSMaxCpuPerUserLimit)
