A limit forbids a job the nodes that are free, and those that it could have are busy: it delays none, as no job does that a limit forbids to start (Slurm's passes go on behind it, too, unless assoc_limit_stop is set).  So on the nodes that it could have it is overtaken, for as long as others come that may have one of them before all are free.
Slurm 22.05 was asked the same, with four nodes and a database: there job 4 overtakes job 3 at the same moment, and job 3 never runs: when all four nodes were idle it still said QOSMaxCpuPerJobLimit a minute later, and three minutes later.
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
Where the others are busy as well it waits for nodes, not for a limit, and has its place in the plan: there no job overtakes it.
at 200s submit --user=dave -w n1 --exclusive -t 50m --runs 50m
> at 131.002s job 3 COMPLETED
> at 131.002s terminate job 3 on n3
> job 5
> at 200s launch job 5 on n1
at 200s submit --user=dave -w n2 --exclusive -t 50m --runs 50m
> job 6
> at 200s launch job 6 on n2
at 200s submit --user=dave -C small --exclusive -t 2m --runs 60s
> job 7
> at 200s launch job 7 on n3
at 200s submit --user=dave -C small --exclusive -t 2m --runs 90s
> job 8
> at 200s launch job 8 on n4
at 201s submit --user=carol -q few -N2 --exclusive --runs 10s
> job 9
at 202s submit --user=dave -C small --exclusive -t 2m --runs 60s
> job 10
at 270s show jobs
> at 260s job 7 COMPLETED
> at 260s terminate job 7 on n3
>  5 p      R   1:10 1 n1
>  6 p      R   1:10 1 n2
>  8 p      R   1:10 1 n4
>  9 p      PD  0:00 2 (Resources)
> 10 p      PD  0:00 1 (Priority)
at 295s show jobs
> at 290s job 8 COMPLETED
> at 290s terminate job 8 on n4
> at 290.001s launch job 9 on n3
>  5 p      R   1:35 1 n1
>  6 p      R   1:35 1 n2
>  9 p      R   0:04 2 n[3-4]
> 10 p      PD  0:00 1 (Resources)
