Limits of QOS and associations: jobs wait for each with its reason, are refused where they must be, and start when the cause goes.
conf
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES
PartitionName=vip Nodes=ALL QOS=part
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageEnforce=limits,qos
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit --user=alice
> refused: Invalid account or account/partition combination specified
at 1s sacctmgr add account physics
at 1s sacctmgr add account theory parent=physics
at 1s sacctmgr add qos high maxjobspu=1 flags=OverPartQOS
at 1s sacctmgr add qos deny flags=DenyOnLimit maxtrespj=cpu=2 maxwall=10
at 1s sacctmgr add qos part maxtrespu=cpu=3
at 1s sacctmgr modify account physics set qos=normal,high,deny
at 1s sacctmgr add user alice,bob account=theory
at 2s submit --user=alice -q part
> refused: Invalid qos specification
at 2s submit --user=alice -q high --runs 20s --mem 500
> job 1
> at 2s launch job 1 on n1
at 2s submit --user=alice -q high --runs 20s --mem 500
> job 2
at 2s submit --user=bob -q high --runs 20s --mem 500
> job 3
> at 2s launch job 3 on n1
at 3s show jobs
>  1 p      R   0:01 1 n1
>  2 p      PD  0:00 1 (QOSMaxJobsPerUserLimit)
>  3 p      R   0:01 1 n1
at 3s sacctmgr modify qos high set maxjobspu=2 grpjobs=2
at 4s show jobs
>  1 p      R   0:02 1 n1
>  2 p      PD  0:00 1 (QOSGrpJobsLimit)
>  3 p      R   0:02 1 n1
at 30s show jobs
> at 22s job 1 COMPLETED
> at 22s terminate job 1 on n1
> at 22s launch job 2 on n1
> at 22s job 3 COMPLETED
> at 22s terminate job 3 on n1
>  2 p      R   0:08 1 n1
at 31s sacctmgr modify account physics set grptres=cpu=6 maxtrespj=node=2,mem=1G maxwall=1:00:00
at 31s submit --user=alice -n 4 --runs 20s --mem 500
> job 4
> at 31s launch job 4 on n2
at 31s submit --user=bob -n 4 --runs 20s -t 30m --mem 500
> job 5
at 31s submit --user=bob -n 2 --runs 5s -t 30m --mem 500
> job 6
at 31s submit --user=bob -N 3 -t 30m --mem 500
> job 7
at 31s submit --user=bob --mem 2G -t 30m
> job 8
at 31s submit --user=bob -t 2h --mem 500
> job 9
at 31s submit --user=alice -q deny -n 3 -t 5m --mem 500
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxCpuPerJobLimit)
at 31s submit --user=alice -q deny -n 2 -t 20m --mem 500
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxWallDurationPerJobLimit)
at 31s submit --user=alice -q deny -n 2 --runs 5s --mem 500
> job 10
at 32s show jobs
>  2 p      R   0:10 1 n1
>  4 p      R   0:01 1 n2
>  5 p      PD  0:00 1 (AssocGrpCpuLimit)
>  6 p      PD  0:00 1 (AssocGrpCpuLimit)
>  7 p      PD  0:00 3 (AssocMaxMemPerJob)
>  8 p      PD  0:00 1 (AssocMaxMemPerJob)
>  9 p      PD  0:00 1 (AssocMaxWallDurationPerJobLimit)
> 10 p      PD  0:00 1 (AssocGrpCpuLimit)
at 40s show jobs
>  2 p      R   0:18 1 n1
>  4 p      R   0:09 1 n2
>  5 p      PD  0:00 1 (AssocGrpCpuLimit)
>  6 p      PD  0:00 1 (AssocGrpCpuLimit)
>  7 p      PD  0:00 3 (AssocMaxMemPerJob)
>  8 p      PD  0:00 1 (AssocMaxMemPerJob)
>  9 p      PD  0:00 1 (AssocMaxWallDurationPerJobLimit)
> 10 p      PD  0:00 1 (AssocGrpCpuLimit)
at 60s show jobs
> at 42s job 2 COMPLETED
> at 42s terminate job 2 on n1
> at 42s launch job 6 on n1
> at 47s job 6 COMPLETED
> at 47s terminate job 6 on n1
> at 47s launch job 10 on n1
> at 51s job 4 COMPLETED
> at 51s terminate job 4 on n2
> at 51s launch job 5 on n3
> at 52s job 10 COMPLETED
> at 52s terminate job 10 on n1
>  5 p      R   0:09 1 n3
>  7 p      PD  0:00 3 (AssocMaxMemPerJob)
>  8 p      PD  0:00 1 (AssocMaxMemPerJob)
>  9 p      PD  0:00 1 (AssocMaxWallDurationPerJobLimit)
at 61s cancel 7
> at 61s job 7 CANCELLED
at 61s cancel 8
> at 61s job 8 CANCELLED
at 61s cancel 9
> at 61s job 9 CANCELLED
at 70s sacctmgr modify account physics set grptres=cpu=-1 maxtrespj=node=-1,mem=-1 maxwall=-1
at 71s submit --user=alice -p vip -n 2 --runs 20s --mem 500
> at 71s job 5 COMPLETED
> at 71s terminate job 5 on n3
> job 11
> at 71s launch job 11 on n1
at 71s submit --user=alice -p vip -n 2 --runs 20s --mem 500
> job 12
at 71s submit --user=bob -p vip -n 2 --runs 20s --mem 500
> job 13
> at 71s launch job 13 on n1
at 71s submit --user=alice -p vip -q high -n 4 --runs 20s --mem 500
> job 14
at 72s show jobs
> 11 vip    R   0:01 1 n1
> 12 vip    PD  0:00 1 (QOSMaxCpuPerUserLimit)
> 13 vip    R   0:01 1 n1
> 14 vip    PD  0:00 1 (QOSMaxCpuPerUserLimit)
at 92s show jobs
> at 91s job 11 COMPLETED
> at 91s terminate job 11 on n1
> at 91s launch job 12 on n2
> at 91s job 13 COMPLETED
> at 91s terminate job 13 on n1
> 12 vip    R   0:01 1 n2
> 14 vip    PD  0:00 1 (QOSMaxCpuPerUserLimit)
at 100s sacctmgr modify user alice set maxsubmit=2
at 100s sacctmgr modify account theory set grpsubmit=4
at 100s submit --user=alice --array 0-2 --runs 5s --mem 500
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (AssocGrpSubmitJobsLimit)
at 100s submit --user=alice --array 0-1 --runs 5s --mem 500
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (AssocMaxSubmitJobLimit)
at 100s submit --user=alice --runs 5s --mem 500
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (AssocMaxSubmitJobLimit)
at 100s submit --user=bob --array 0-1 --runs 5s --mem 500
> job 15
> at 100s launch job 16 on n1
> at 100s launch job 15 on n1
at 100s submit --user=bob --runs 5s --mem 500
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (AssocGrpSubmitJobsLimit)
at 120s submit --user=alice --runs 5s --mem 500
> at 105s job 16 COMPLETED
> at 105s terminate job 16 on n1
> at 105s job 15 COMPLETED
> at 105s terminate job 15 on n1
> at 111s job 12 COMPLETED
> at 111s terminate job 12 on n2
> job 17
> at 120s launch job 17 on n1
at 121s show jobs
> 14 vip    PD  0:00 1 (QOSMaxCpuPerUserLimit)
> 17 p      R   0:01 1 n1
