conf
AccountingStorageEnforce=limits
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=n[1-6] Default=YES
end
A limit lets two of three in: none starts, and no job waits for them.
at 0s sacctmgr add account team
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 0s sacctmgr add user user account=team grpjobs=3
at 0s submit -N1 --runs 10s
> job 1
> at 0s launch job 1 on n1
at 1s submit -N1 --runs 20s : -N1 : -N1
> job 2, with components up to 4
at 1s submit -N1 --runs 3s
> job 5
> at 1s launch job 5 on n2
at 2s show jobs
>  1 p      R   0:02 1 n1
>  2 p      PD  0:00 1 (AssocGrpJobsLimit)
>  3 p      PD  0:00 1 (AssocGrpJobsLimit)
>  4 p      PD  0:00 1 (AssocGrpJobsLimit)
>  5 p      R   0:01 1 n2
When it leaves room for all of them they start.
at 13s show jobs
> at 4s job 5 COMPLETED
> at 4s terminate job 5 on n2
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> at 10s launch job 2 on n2
>  2 p      R   0:03 1 n2
>  3 p      R   0:03 1 n3
>  4 p      R   0:03 1 n4
Nor do CPUs beyond a limit, which each of them is within.
at 40s sacctmgr modify user user set grpjobs=-1 grptres=cpu=5
> at 30s job 2 COMPLETED
> at 30s terminate job 2 on n2
> at 30s job 3 COMPLETED
> at 30s job 4 COMPLETED
at 41s submit -N1 -n3 --runs 10s : -N1 -n3
> job 6, with components up to 7
at 42s show jobs
>  6 p      PD  0:00 1 (AssocGrpCpuLimit)
>  7 p      PD  0:00 1 (AssocGrpCpuLimit)
at 43s sacctmgr modify user user set grptres=cpu=6
> at 43s launch job 6 on n1
at 44s show jobs
>  6 p      R   0:01 1 n1
>  7 p      R   0:01 1 n2
DenyOnLimit: all of them together are refused, as one job would be; others that run do not count.
at 60s sacctmgr add qos small flags=denyonlimit grptres=node=3,cpu=6
> at 53s job 6 COMPLETED
> at 53s terminate job 6 on n1
> at 53s job 7 COMPLETED
at 60s sacctmgr modify user user set grptres=cpu=-1 qos=small
at 61s submit -q small -N4
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSGrpNodeLimit)
at 61s submit -q small -N1 : -N2 : -N1
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSGrpNodeLimit)
at 61s submit -q small -N1 -n4 : -N1 -n3
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSGrpCpuLimit)
at 61s estimate -q small -N1 : -N2 : -N1
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSGrpNodeLimit)
at 61s submit -q small -N1 --runs 5s
> job 13
> at 61s launch job 13 on n1
at 61s submit -q small -N1 --runs 5s : -N2
> job 14, with components up to 15
at 61s show jobs
> 13 p      R   0:00 1 n1
> 14 p      PD  0:00 1 (QOSGrpNodeLimit)
> 15 p      PD  0:00 2 (QOSGrpNodeLimit)
at 80s sacctmgr modify qos small set flags-=denyonlimit
> at 66s job 13 COMPLETED
> at 66s terminate job 13 on n1
> at 66s launch job 14 on n2
> at 71s job 14 COMPLETED
> at 71s terminate job 14 on n2
> at 71s job 15 COMPLETED
at 80s submit -q small -N1 : -N2 : -N1
> job 16, with components up to 18
at 81s cancel 16
> at 81s job 16 CANCELLED
> at 81s job 17 CANCELLED
> at 81s job 18 CANCELLED
Two of them cannot require one node, as components have nodes of their own.
at 81s submit -w n[1-2] -N2 : -w n2
> refused: Invalid node name specified (1: component 0 requires the same node, and components have nodes of their own)
at 81s estimate -w n2 : -N1 : -w n2
> refused: Invalid node name specified (2: component 0 requires the same node, and components have nodes of their own)
at 81s submit -w n1 --runs 1s : -w n2
> job 21, with components up to 22
> at 81s launch job 21 on n1
at 85s show jobs
> at 82s job 21 COMPLETED
> at 82s terminate job 21 on n1
> at 82s job 22 COMPLETED
