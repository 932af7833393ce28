scontrol update of a job that waits: limits of its QOS and of partitions, what is kept for a preemptor, priorities by size.
conf
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxNodes=1
PartitionName=q Nodes=ALL
EnforcePartLimits=ANY
MinJobAge=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/qos
PreemptMode=CANCEL
AccountingStorageEnforce=limits,qos
PriorityType=priority/multifactor
PriorityWeightJobSize=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s sacctmgr add account team
at 1s sacctmgr add qos deny flags=DenyOnLimit maxtrespj=cpu=2
at 1s sacctmgr add qos wait maxtrespj=cpu=2
at 1s sacctmgr add qos gentle gracetime=30
at 1s sacctmgr add qos high preempt=normal,gentle priority=100
at 1s sacctmgr modify account team set qos=normal,deny,wait,gentle,high
at 1s sacctmgr add user tim account=team
DenyOnLimit refuses, otherwise it waits for as long as it asks for so much. The QOS may change with it.
at 2s submit --user=tim -q deny -n2 -t 5m --runs 10s --hold
> job 1
at 2s update owner JobId=1 NumTasks=3
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxCpuPerJobLimit)
at 2s update owner JobId=1 CPUsPerTask=2
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxCpuPerJobLimit)
at 2s update owner JobId=1 NumTasks=1 CPUsPerTask=2
at 2s update owner JobId=1 NumTasks=3 CPUsPerTask=1 QOS=wait
at 2s release 1
at 3s show jobs
>  1 p      PD  0:00 1 (QOSMaxCpuPerJobLimit)
at 4s update owner JobId=1 NumTasks=2 CPUsPerTask=1
> at 4s launch job 1 on n1
at 5s show jobs
>  1 p      R   0:01 1 n1
Partitions: more nodes than any of its own allows.
at 20s submit --user=tim -N1 -n2 -t 5m --runs 10s --hold
> at 14s job 1 COMPLETED
> at 14s terminate job 1 on n1
> job 2
at 20s update owner JobId=2 NumNodes=2
> refused: Node count specification invalid
at 20s update owner JobId=2 NumNodes=2 Partition=p,q
at 20s release 2
> at 20s launch job 2 on n1
at 20s show jobs
>  2 q      R   0:00 2 n[1-2]
The larger it is, the higher its priority.
at 40s submit --user=tim -N2 -n8 -t 60m --runs 5m -p q
> at 30s job 2 COMPLETED
> at 30s terminate job 2 on n1
> job 3
> at 40s launch job 3 on n1
at 40s submit --user=tim -N1 -n1 -t 60m --runs 10s -p q
> job 4
at 40s submit --user=tim -N1 -n1 -t 60m --runs 10s -p q
> job 5
at 41s show priorities
>  4 312: 0.0000 0.3125 1.0000 0.1250 0.5000 0.5000
>  5 312: 0.0000 0.3125 1.0000 0.1250 0.5000 0.5000
at 42s update owner JobId=5 NumTasks=4
at 42s show priorities
>  5 500: 0.0000 0.5000 1.0000 0.5000 0.5000 0.5000
>  4 312: 0.0000 0.3125 1.0000 0.1250 0.5000 0.5000
Nodes that are kept for a preemptor are free again when it wants others.
at 400s submit --user=tim -q gentle -n4 -N1 -w n1 -t 60m
> at 340s job 3 COMPLETED
> at 340s terminate job 3 on n1
> at 340s launch job 5 on n2
> at 340.001s launch job 4 on n1
> at 350s job 5 COMPLETED
> at 350s terminate job 5 on n2
> at 350.001s job 4 COMPLETED
> at 350.001s terminate job 4 on n1
> job 6
> at 400s launch job 6 on n1
at 401s submit --user=tim -q high -n4 -N1 -w n1 -t 5m --runs 10s
> job 7
> at 401s signal job 6 on n1
> at 401s signal job 6 on n1
at 402s show jobs
>  6 p      R   0:02 1 n1
>  7 p      PD  0:00 1 (Resources)
at 403s update owner JobId=7 ReqNodeList=n2
> at 403s launch job 7 on n2
at 404s submit --user=tim -n4 -N1 -w n1 -t 5m --runs 10s
> job 8
at 405s show jobs
>  6 p      R   0:05 1 n1
>  7 p      R   0:02 1 n2
>  8 p      PD  0:00 1 (Resources)
at 450s show jobs
> at 413s job 7 COMPLETED
> at 413s terminate job 7 on n2
>  6 p      R   0:50 1 n1
>  8 p      PD  0:00 1 (Resources)
A job that moves to another QOS or account is one more there; where it is counted already it stays, whatever the limit has become.
at 500s sacctmgr add qos few maxsubmitjobsperuser=2
at 500s sacctmgr add account other
at 500s sacctmgr modify account team set qos=normal,few maxsubmit=7
at 500s sacctmgr modify account other set qos=normal,few maxsubmit=1
at 500s sacctmgr add user tim account=other
at 501s submit --user=tim --hold
> job 9
at 501s submit --user=tim --hold -q few
> job 10
at 501s submit --user=tim --hold --array 0-1
> job 11
at 502s update owner JobId=11 QOS=few
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxSubmitJobPerUserLimit)
at 502s update owner JobId=9 QOS=few
at 503s submit --user=tim --hold
> job 12
at 503s update owner JobId=12 QOS=few
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxSubmitJobPerUserLimit)
at 504s sacctmgr modify qos few set maxsubmitjobsperuser=1
at 504s update owner JobId=10 NumTasks=2
at 504s update owner JobId=9 QOS=normal
at 505s update owner JobId=11 Account=other
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (AssocMaxSubmitJobLimit)
at 505s update owner JobId=12 Account=other
at 505s update owner JobId=9 Account=other
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (AssocMaxSubmitJobLimit)
at 506s show jobs
>  6 p      R   1:46 1 n1
>  8 p      PD  0:00 1 (Resources)
>  9 p      PD  0:00 1 (JobHeldUser)
> 10 p      PD  0:00 1 (JobHeldUser)
> 11_[0-1] p      PD  0:00 1 (JobHeldUser)
> 12 p      PD  0:00 1 (JobHeldUser)
The owner may not ask for more time than a QOS with DenyOnLimit has; an operator may.
at 600s sacctmgr add qos brief flags=DenyOnLimit maxwall=10
at 600s sacctmgr modify account team set qos=normal,brief
at 600s submit --user=tim -q brief -t 5m --hold
> job 13
at 601s update owner JobId=13 TimeLimit=20
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxWallDurationPerJobLimit)
at 601s update owner JobId=13 TimeLimit=10
at 601s update owner JobId=13 TimeLimit+=1
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxWallDurationPerJobLimit)
at 602s update JobId=13 TimeLimit=20
