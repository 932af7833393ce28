Limits are for what a job's owner asks. What an operator has set of a job that waits, its time, its CPUs or its memory, no limit of that binds, nor MaxTime of its partition; all others do.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageEnforce=limits,qos
PriorityType=priority/multifactor
NodeName=n[1-2] CPUs=8 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES MaxTime=2:00:00
end
at 0s sacctmgr add account all
> at 0s n1 registers
> at 0s n2 registers
at 0s sacctmgr add qos strict maxtresperjob=cpu=2,mem=1000 maxtresperuser=cpu=4 maxwall=10 flags=denyonlimit
at 0s sacctmgr add qos mild maxtresperjob=cpu=2 grptres=cpu=2 maxtresminsperjob=cpu=500
at 0s sacctmgr add user carol account=all
at 0s sacctmgr add qos spent maxtresperjob=cpu=2 grptresmins=cpu=1
at 0s sacctmgr modify user carol set qos=strict,mild,spent
its owner's wishes are bound
at 1s submit --user=carol -q strict -n2 --mem 100 -t 10m --begin 60s
> job 1
at 1s submit --user=carol -q mild -n2 --mem 100 -t 30m --begin 60s --array 0-1 --runs 10s
> job 2
at 1s submit --user=carol -q mild -n2 --mem 100 -t 1h --begin 60s
> job 3
at 2s update owner JobId=1 NumTasks=3
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxCpuPerJobLimit)
at 2s update owner JobId=1 TimeLimit=11 NumTasks=2
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxWallDurationPerJobLimit)
an operator's are not, of what the operator sets
at 3s update JobId=1 TimeLimit=20
at 4s update JobId=1 NumTasks=6
at 5s update owner JobId=1 MinMemoryNode=2000
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxMemoryPerJob)
at 6s update JobId=1 MinMemoryNode=2000
at 7s update JobId=2 NumTasks=4
at 8s update JobId=3 TimeLimit=300
at 62s show jobs
> at 61s launch job 1 on n1
> at 61s launch job 4 on n2
> at 61s launch job 2 on n2
>  1 p      R   0:01 1 n1
> 2_1 p      R   0:01 1 n2
>  3 p      PD  0:00 1 (QOSGrpCpuLimit)
> 2_0 p      R   0:01 1 n2
a limit of minutes of a CPU is none of time
at 80s show jobs
> at 71s job 4 COMPLETED
> at 71s terminate job 4 on n2
> at 71s job 2 COMPLETED
> at 71s terminate job 2 on n2
>  1 p      R   0:19 1 n1
>  3 p      PD  0:00 1 (QOSMaxCpuMinutesPerJobLimit)
at 81s update JobId=3 TimeLimit=240
> at 81s launch job 3 on n1
at 82s show jobs
>  1 p      R   0:21 1 n1
>  3 p      R   0:01 1 n1
others are bound as ever
at 83s submit --user=carol -q mild -n2 --mem 100 -t 3h
> job 5
at 84s submit --user=carol -q mild -n2 --mem 100 -t 30m
> job 6
at 85s show jobs
>  1 p      R   0:24 1 n1
>  3 p      R   0:04 1 n1
>  5 p      PD  0:00 1 (PartitionTimeLimit)
>  6 p      PD  0:00 1 (QOSGrpCpuLimit)
what all have used up binds an operator's, too: it would be ended as soon as it runs
at 100s cancel 1
> at 100s job 1 CANCELLED
> at 100s terminate job 1 on n1
at 100s cancel 3
> at 100s job 3 CANCELLED
> at 100s terminate job 3 on n1
> at 100s launch job 6 on n2
at 100s cancel 5
> at 100s job 5 CANCELLED
at 100s cancel 6
> at 100s job 6 CANCELLED
> at 100s terminate job 6 on n2
at 101s submit --user=carol -q spent -n2 --mem 100 --runs 30s
> job 7
> at 101s launch job 7 on n1
at 102s submit --user=carol -q spent -n2 --mem 100 --begin 60s
> job 8
at 103s update JobId=8 NumTasks=4
at 104s show jobs
>  7 p      R   0:03 1 n1
>  8 p      PD  0:00 1 (BeginTime)
at 170s show jobs
> at 131s job 7 COMPLETED
> at 131s terminate job 7 on n1
>  8 p      PD  0:00 1 (QOSGrpCPUMinutesLimit)
