A limit forbids a job the nodes that are free, and those that it could have are busy: it holds nobody up, as nobody does whom a limit forbids to start (Slurm's passes go on behind him, too, unless assoc_limit_stop is set).  So on the nodes that it could have it is overtaken, for as long as others come who may have one of them before all are free.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
NodeName=n[1-2] CPUs=64
NodeName=n[3-4] CPUs=8 Weight=9 Feature=small
PartitionName=p Nodes=ALL Default=YES MaxTime=1:00:00
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s sacctmgr add account all
at 0s sacctmgr add user carol,dave account=all
at 0s sacctmgr add qos few maxtrespj=cpu=20
at 0s sacctmgr modify user carol set qos+=few
at 1s submit --user=dave -C small --exclusive -t 2m --runs 60s
> job 1
> at 1s launch job 1 on n3
at 1s submit --user=dave -C small --exclusive -t 2m --runs 90s
> job 2
> at 1s launch job 2 on n4
at 2s submit --user=carol -q few -N2 --exclusive --runs 10s
> job 3
at 3s submit --user=dave -C small --exclusive -t 2m --runs 60s
> job 4
at 4s show jobs
>  1 p      R   0:03 1 n3
>  2 p      R   0:03 1 n4
>  3 p      PD  0:00 2 (QOSMaxCpuPerJobLimit)
>  4 p      PD  0:00 1 (Resources)
at 62s show jobs
> at 61s job 1 COMPLETED
> at 61s terminate job 1 on n3
> at 61.001s launch job 4 on n3
>  2 p      R   1:01 1 n4
>  3 p      PD  0:00 2 (QOSMaxCpuPerJobLimit)
>  4 p      R   0:00 1 n3
It has them as soon as both are free.
at 122s show jobs
> at 91s job 2 COMPLETED
> at 91s terminate job 2 on n4
> at 121.001s job 4 COMPLETED
> at 121.001s terminate job 4 on n3
> at 121.002s launch job 3 on n3
>  3 p      R   0:00 2 n[3-4]
