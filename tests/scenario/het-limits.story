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
