GrpJobsAccrue, MaxJobsAccrue: so many jobs of the queue grow older; each that starts or goes makes room for another.  Priority of
associations.  LimitFactor and UsageFactor of a QOS.
conf
NodeName=n1 CPUs=8 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageEnforce=limits,qos,safe
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightAssoc=100
PriorityMaxAge=0-10
PriorityCalcPeriod=60
end
at 0s hush agents
> at 0s n1 registers
at 1s sacctmgr add account physics priority=20
at 1s sacctmgr add account theory parent=physics
at 1s sacctmgr add qos few maxjobsaccruepu=2 grpjobsaccrue=3
at 1s sacctmgr add qos twice limitfactor=2
at 1s sacctmgr add qos dear usagefactor=3 flags=UsageFactorSafe
at 1s sacctmgr add qos cheap usagefactor=3
at 1s sacctmgr modify account physics set qos=normal,few,twice,dear,cheap
at 1s sacctmgr add user alice,bob account=theory
at 1s sacctmgr modify user bob set priority=50
at 2s submit --user=alice -n 8 --runs 1h
> job 1
> at 2s launch job 1 on n1
at 3s submit --user=alice -q few -n 8 --runs 1h
> job 2
at 3s submit --user=alice -q few -n 8 --runs 1h
> job 3
at 3s submit --user=alice -q few -n 8 --runs 1h
> job 4
at 3s submit --user=bob -q few -n 8 --runs 1h
> job 5
at 3s submit --user=bob -q few -n 8 --runs 1h
> job 6
at 3s submit --user=bob -n 8 --runs 1h --begin 30m
> job 7
at 1803s show priorities
>  5 100: 0.0500 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 100: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  7 100: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  2 40: 0.0500 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
>  3 40: 0.0500 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
>  4 40: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
at 3700s show priorities
> at 3602s job 1 COMPLETED
> at 3602s terminate job 1 on n1
> at 3602.001s launch job 5 on n1
>  7 149: 0.0527 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  2 139: 0.1027 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
>  3 139: 0.1027 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
>  6 100: 0.0027 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  4 40: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
at 4000s cancel 3
> at 4000s job 3 CANCELLED
at 9000s show priorities
> at 7202.001s job 5 COMPLETED
> at 7202.001s terminate job 5 on n1
> at 7202.002s launch job 7 on n1
>  2 239: 0.2499 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
>  6 199: 0.1499 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  4 128: 0.1389 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
at 9001s sacctmgr modify qos few set grpjobsaccrue=-1
at 9001s sacctmgr modify user bob set maxjobsaccrue=0
at 9002s submit --user=bob -n 8 --runs 1h
> job 8
at 12602s show priorities
> at 10802.002s job 7 COMPLETED
> at 10802.002s terminate job 7 on n1
> at 10802.003s launch job 2 on n1
>  6 299: 0.2500 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  4 228: 0.2389 1.0000 1.0000 1.0000 1.0000 1.0000 0.4000
>  8 100: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000 1.0000
at 12603s cancel 4
> at 12603s job 4 CANCELLED
at 12603s cancel 6
> at 12603s job 6 CANCELLED
at 12603s cancel 8
> at 12603s job 8 CANCELLED
at 13603s cancel 2
> at 13603s job 2 CANCELLED
> at 13603s terminate job 2 on n1
at 13604s sacctmgr add account chem
at 13604s sacctmgr add user carol account=chem qos=normal,twice,dear,cheap
at 13604s sacctmgr modify account chem set grptres=cpu=3 maxtrespj=cpu=2 grptresmins=cpu=100
at 13605s submit --user=carol -n 3 -t 5m
> job 9
at 13605s submit --user=carol -q twice -n 5 -t 5m
> job 10
at 13605s submit --user=carol -q twice -n 4 -t 5m --runs 1m
> job 11
> at 13605s launch job 11 on n1
at 13605s submit --user=carol -q twice -n 3 -t 5m --runs 1m
> job 12
at 13606s show jobs
>  9 p      PD  0:00 1 (AssocMaxCpuPerJobLimit)
> 10 p      PD  0:00 1 (AssocMaxCpuPerJobLimit)
> 11 p      R   0:01 1 n1
> 12 p      PD  0:00 1 (AssocGrpCpuLimit)
at 13800s cancel 9
> at 13665s job 11 COMPLETED
> at 13665s terminate job 11 on n1
> at 13665s launch job 12 on n1
> at 13725s job 12 COMPLETED
> at 13725s terminate job 12 on n1
> at 13800s job 9 CANCELLED
at 13800s cancel 10
> at 13800s job 10 CANCELLED
at 13801s submit --user=carol -q dear -t 40m --runs 1m
> job 13
at 13801s submit --user=carol -q cheap -t 40m --runs 1m
> job 14
> at 13801s launch job 14 on n1
at 13802s show jobs
> 13 p      PD  0:00 1 (AssocGrpCPUMinutesLimit)
> 14 p      R   0:01 1 n1
at 13900s show jobs
> at 13861s job 14 COMPLETED
> at 13861s terminate job 14 on n1
> 13 p      PD  0:00 1 (AssocGrpCPUMinutesLimit)
LimitFactor is for what all and each job may have, not for what it may have of a node; 0 is none.
at 14000s sacctmgr modify account chem set grptres=cpu=-1 maxtrespj=cpu=-1 grptresmins=cpu=-1 maxtrespn=cpu=2
> at 14000s launch job 13 on n1
at 14001s submit --user=carol -q twice -N 1 -n 3 -t 5m --runs 1m
> job 15
at 14001s submit --user=carol -q twice -N 1 -n 2 -t 5m --runs 1m
> job 16
> at 14001s launch job 16 on n1
at 14002s show jobs
> 13 p      R   0:02 1 n1
> 15 p      PD  0:00 1 (AssocMaxCpuPerNode)
> 16 p      R   0:01 1 n1
at 14003s sacctmgr modify qos twice set limitfactor=0
at 14003s sacctmgr modify account chem set maxtrespn=cpu=-1 maxtrespj=cpu=2
at 14100s submit --user=carol -q twice -N 1 -n 3 -t 5m --runs 1m
> at 14060s job 13 COMPLETED
> at 14060s terminate job 13 on n1
> at 14061s job 16 COMPLETED
> at 14061s terminate job 16 on n1
> job 17
at 14101s submit --user=carol -q twice -N 1 -n 2 -t 5m --runs 1m
> job 18
> at 14101s launch job 18 on n1
at 14102s show jobs
> 15 p      PD  0:00 1 (AssocMaxCpuPerJobLimit)
> 17 p      PD  0:00 1 (AssocMaxCpuPerJobLimit)
> 18 p      R   0:01 1 n1
