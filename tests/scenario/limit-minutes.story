Limits of what has been used and of what runs: GrpTRESMins, GrpWall, GrpTRESRunMins, MaxTRESRunMinsPerUser, UsageThreshold.
conf
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PriorityType=priority/multifactor
PriorityDecayHalfLife=0
PriorityWeightFairshare=1000
AccountingStorageEnforce=limits,qos
MinJobAge=100000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s sacctmgr add account physics
at 1s sacctmgr add account theory parent=physics
at 1s sacctmgr add qos run grptresrunmins=cpu=60
at 1s sacctmgr add qos mine maxtresrunminspu=cpu=30
at 1s sacctmgr add qos res flags=RequiresReservation
at 1s sacctmgr add qos fair flags=EnforceUsageThreshold usagethreshold=600
at 1s sacctmgr modify account physics set qos=normal,run,mine,res,fair
at 1s sacctmgr add user alice,bob account=theory
RequiresReservation.
at 2s submit --user=alice -q res
> refused: Invalid qos specification (QOS res is for jobs with --reservation (RequiresReservation))
GrpTRESRunMins: so many minutes of CPUs may running jobs have left: 40 and 15 do, 10 more would not; with time some are gone.
at 2s submit --user=alice -q run -n4 -t 10m --runs 600s
> job 1
> at 2s launch job 1 on n1
at 2s submit --user=bob -q run -t 15m --runs 900s
> job 2
> at 2s launch job 2 on n2
at 2s submit --user=bob -q run -t 10m --runs 60s
> job 3
at 10s show jobs
>  1 p      R   0:08 1 n1
>  2 p      R   0:08 1 n2
>  3 p      PD  0:00 1 (QOSGrpCPURunMinutesLimit)
at 70s show jobs
> at 50.000001s launch job 3 on n2
>  1 p      R   1:08 1 n1
>  2 p      R   1:08 1 n2
>  3 p      R   0:19 1 n2
at 80s show jobs
>  1 p      R   1:18 1 n1
>  2 p      R   1:18 1 n2
>  3 p      R   0:29 1 n2
at 1000s show jobs
> at 110.000001s job 3 COMPLETED
> at 110.000001s terminate job 3 on n2
> at 602s job 1 COMPLETED
> at 602s terminate job 1 on n1
> at 902s job 2 COMPLETED
> at 902s terminate job 2 on n2
Of each user.
at 1000s submit --user=alice -q mine -t 20m --runs 10s
> job 4
> at 1000s launch job 4 on n1
at 1000s submit --user=alice -q mine -t 20m --runs 10s
> job 5
at 1000s submit --user=bob -q mine -t 30m --runs 10s
> job 6
> at 1000s launch job 6 on n1
at 1001s show jobs
>  4 p      R   0:01 1 n1
>  5 p      PD  0:00 1 (QOSGrpCPURunMinutesLimit)
>  6 p      R   0:01 1 n1
at 1100s show jobs
> at 1010s job 4 COMPLETED
> at 1010s terminate job 4 on n1
> at 1010s launch job 5 on n1
> at 1010s job 6 COMPLETED
> at 1010s terminate job 6 on n1
> at 1020s job 5 COMPLETED
> at 1020s terminate job 5 on n1
GrpTRESMins of an account above: no job starts when it is used up, and running ones are ended then.  So far 40+15+1 minutes and some seconds.
at 2000s sacctmgr modify account physics set grptresmins=cpu=62
at 2000s submit --user=alice -n2 -t 100m --runs 6000s
> job 7
> at 2000s launch job 7 on n1
at 2000s submit --user=bob -n1 -t 100m --runs 6000s
> job 8
> at 2000s launch job 8 on n1
at 2100s show jobs
>  7 p      R   1:40 1 n1
>  8 p      R   1:40 1 n1
at 2150s submit --user=bob -n1 -t 1m --runs 6s
> at 2110.000001s job 8 TIMEOUT
> at 2110.000001s terminate job 8 on n1
> at 2110.000001s job 7 TIMEOUT
> at 2110.000001s terminate job 7 on n1
> job 9
at 2151s show jobs
>  9 p      PD  0:00 1 (AssocGrpCPUMinutesLimit)
at 2160s sacctmgr modify account physics set grptresmins=cpu=-1
> at 2160s launch job 9 on n1
at 2170s show jobs
> at 2166s job 9 COMPLETED
> at 2166s terminate job 9 on n1
GrpWall of a QOS.
at 3000s sacctmgr modify qos fair set grpwall=1
at 3000s sacctmgr modify qos normal set grpwall=6
at 3000s submit --user=bob -n1 -t 30m --runs 1000s
> job 10
> at 3000s launch job 10 on n1
at 3001s show jobs
> 10 p      R   0:01 1 n1
at 4500s show jobs
> at 3133.999999s job 10 TIMEOUT
> at 3133.999999s terminate job 10 on n1
at 4500s submit --user=bob -n1 -t 30m --runs 1000s
> job 11
at 4501s show jobs
> 11 p      PD  0:00 1 (QOSGrpWallLimit)
at 4501s sacctmgr modify qos normal set grpwall=-1
> at 4501s launch job 11 on n1
at 4502s cancel 11
> at 4502s job 11 CANCELLED
> at 4502s terminate job 11 on n1
UsageThreshold: a job with a lower fair share, times its weight, waits.
at 5000s sacctmgr modify qos fair set grpwall=-1
at 5000s show shares
> root/root 1: 0 1.0000
> theory/alice 1: 2640 0.3333
> theory/bob 1: 1221 0.6667
at 5001s submit --user=alice -q fair -n1 -t 30m --runs 10s
> job 12
at 5001s submit --user=bob -q fair -n1 -t 30m --runs 10s
> job 13
> at 5001s launch job 13 on n1
at 5002s show jobs
> 12 p      PD  0:00 1 (QOSUsageThreshold)
> 13 p      R   0:01 1 n1
For a job without factors the fair share counts as it is.
at 5002s submit --user=bob -q fair -n1 -t 30m --priority 5000 --runs 10s
> job 14
at 5002s show jobs
> 12 p      PD  0:00 1 (QOSUsageThreshold)
> 13 p      R   0:01 1 n1
> 14 p      PD  0:00 1 (QOSUsageThreshold)
at 5002s cancel 14
> at 5002s job 14 CANCELLED
at 5002s cancel 12
> at 5002s job 12 CANCELLED
at 5002s cancel 13
> at 5002s job 13 CANCELLED
> at 5002s terminate job 13 on n1
safe: no job with a time limit beyond it starts, and so none is ended.
conf
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PriorityType=priority/multifactor
PriorityDecayHalfLife=0
AccountingStorageEnforce=safe,qos
MinJobAge=100000
end
at 6000s sacctmgr add qos safe grptresmins=cpu=10
at 6000s sacctmgr modify account physics set qos+=safe
at 6000s submit --user=bob -q safe -n1 -t 6m --runs 60s
> job 15
> at 6000s launch job 15 on n1
at 6000s submit --user=bob -q safe -n1 -t 6m --runs 60s
> job 16
at 6000s submit --user=bob -q safe -n1 -t 11m --runs 60s
> job 17
at 6001s show jobs
> 15 p      R   0:01 1 n1
> 16 p      PD  0:00 1 (QOSGrpCPUMinutesLimit)
> 17 p      PD  0:00 1 (QOSGrpCPUMinutesLimit)
at 6100s show jobs
> at 6060s job 15 COMPLETED
> at 6060s terminate job 15 on n1
> at 6060s launch job 16 on n1
> 16 p      R   0:40 1 n1
> 17 p      PD  0:00 1 (QOSGrpCPUMinutesLimit)
GrpWall too: with the whole minutes that have been used.
at 6200s sacctmgr add qos wall grpwall=10
> at 6120s job 16 COMPLETED
> at 6120s terminate job 16 on n1
at 6200s sacctmgr modify account physics set qos+=wall
at 6200s submit --user=bob -q wall -n1 -t 11m --runs 10s
> job 18
at 6200s submit --user=bob -q wall -n1 -t 10m --runs 330s
> job 19
> at 6200s launch job 19 on n1
at 6600s submit --user=bob -q wall -n1 -t 6m --runs 10s
> at 6530s job 19 COMPLETED
> at 6530s terminate job 19 on n1
> job 20
at 6600s submit --user=bob -q wall -n1 -t 5m --runs 10s
> job 21
> at 6600s launch job 21 on n1
at 6601s show jobs
> 17 p      PD  0:00 1 (QOSGrpCPUMinutesLimit)
> 18 p      PD  0:00 1 (QOSGrpWallLimit)
> 20 p      PD  0:00 1 (QOSGrpWallLimit)
> 21 p      R   0:01 1 n1
