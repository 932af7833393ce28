scontrol update of a heterogeneous job as a whole: all components, or none; each is checked with those before it as they would be.
conf
NodeName=n[1-3] CPUs=4 Features=alpha
NodeName=n[4-6] CPUs=4 Features=beta
PartitionName=main Nodes=ALL Default=YES
PartitionName=alpha Nodes=n[1-3]
PartitionName=beta Nodes=n[4-6]
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
PriorityType=priority/multifactor
PriorityWeightJobSize=1000
PriorityWeightPartition=1000
EnforcePartLimits=ALL
Licenses=a:4
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 1s sacctmgr add account team
at 1s sacctmgr add qos few maxsubmitjobsperuser=2
at 1s sacctmgr add qos two flags=DenyOnLimit maxtrespj=cpu=2
at 1s sacctmgr modify account team set qos=normal,few,two
at 1s sacctmgr add user tim account=team
at 2s submit --user=tim --begin 6s -N1 -C alpha -t 10m --runs 10s : --begin 6s -N1 -n2 -C beta -t 20m : --begin 6s -N1 -n2
> job 1, with components up to 3
at 2s show jobs
>  1 main   PD  0:00 1 (BeginTime)
>  2 main   PD  0:00 1 (BeginTime)
>  3 main   PD  0:00 1 (BeginTime)
at 2s show priorities
>  1 1104: 0.0000 0.1042 1.0000 0.0417 0.1667 0.1667
>  2 1125: 0.0000 0.1250 1.0000 0.0833 0.1667 0.1667
>  3 1125: 0.0000 0.1250 1.0000 0.0833 0.1667 0.1667
The second one has no node there.
at 3s update owner HetJobId=1 Partition=alpha
> refused: Requested node configuration is not available (component 1 refuses the update)
at 3s update owner HetJobId=1 Comment=new Partition=beta
> refused: Requested node configuration is not available (component 0 refuses the update)
The third has no limit.
at 3s update HetJobId=1 TimeLimit=+5
> refused: Requested time limit is invalid (missing or exceeds some limit) (component 2: TimeLimit=+5: the present limit is less than that, or unlimited)
The second one has two tasks.
at 3s update HetJobId=1 NumCPUs=1
> refused: Requested operation is not supported (component 1: NumCPUs=1: its tasks take 2, change NumTasks or CPUsPerTask)
All refuse what none may have; a license is of the first one.
at 3s update HetJobId=1 Priority=x
> refused: Priority=x: a number from 0 (held) to 4294967293 was expected
at 3s update HetJobId=1 Licenses=b:1
> refused: Invalid license specification (there is no license b)
at 3s update HetJobId=1 NumNodes=9
> refused: Node count specification invalid
There is room in the QOS for two of them, and in the other one for none with four CPUs.
at 4s update owner HetJobId=1 QOS=few
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (component 2: QOSMaxSubmitJobPerUserLimit)
at 4s update owner HetJobId=1 QOS=two CPUsPerTask=2
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (component 1: QOSMaxCpuPerJobLimit)
Nothing has changed.
at 5s show jobs
>  1 main   PD  0:00 1 (BeginTime)
>  2 main   PD  0:00 1 (BeginTime)
>  3 main   PD  0:00 1 (BeginTime)
at 5s show priorities
>  1 1104: 0.0000 0.1042 1.0000 0.0417 0.1667 0.1667
>  2 1125: 0.0000 0.1250 1.0000 0.0833 0.1667 0.1667
>  3 1125: 0.0000 0.1250 1.0000 0.0833 0.1667 0.1667
at 5s show job 1
> job 1 PENDING Reason=BeginTime Priority=1104 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 5s show job 2
> job 2 PENDING Reason=BeginTime Priority=1125 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 5s show job 3
> job 3 PENDING Reason=BeginTime Priority=1125 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
Two of them may have it by themselves.
at 6s update owner JobId=1 QOS=few
at 6s update owner JobId=2 QOS=few
at 6s update owner JobId=3 QOS=few
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxSubmitJobPerUserLimit)
What all may have, all get: also features together with the partition.
at 7s update owner HetJobId=1 QOS=two Features=beta Partition=beta Comment=new TimeLimit=30
at 7s update HetJobId=1 Licenses=a:1
at 7s show job 1
> job 1 PENDING Reason=BeginTime Priority=1104 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 7s show job 2
> job 2 PENDING Reason=BeginTime Priority=1125 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 7s show job 3
> job 3 PENDING Reason=BeginTime Priority=1125 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 9s show jobs
> at 8s launch job 1 on n4
>  1 beta   R   0:01 1 n4
>  2 beta   R   0:01 1 n5
>  3 beta   R   0:01 1 n6
at 9s show licenses
> a 1 of 4
>  job 1 has a:1
Of those that run: a component that is over counts no more.
at 10s update HetJobId=1 Partition=main
> refused: Job is no longer pending execution
at 11s cancel 2
> at 11s job 2 CANCELLED
at 12s update HetJobId=1 TimeLimit=+5
at 12s update HetJobId=1 TimeLimit=x
> refused: Requested time limit is invalid (missing or exceeds some limit) ("x" is not a time (minutes, M:S, H:M:S, D-H, D-H:M, D-H:M:S or UNLIMITED))
at 30s update HetJobId=1 TimeLimit=+5
> at 18s job 1 COMPLETED
> at 18s terminate job 1 on n4
> at 18s job 3 COMPLETED
> refused: Job has already finished
