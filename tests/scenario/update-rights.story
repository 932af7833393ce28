conf
NodeName=n[1-4] CPUs=4 RealMemory=4000 Feature=a
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=120 State=UP
PartitionName=q Nodes=n1
AccountingStorageType=accounting_storage/none
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N4 --exclusive -t 60m --runs 100m
> job 1
> at 1s launch job 1 on n1
at 1s submit -n1 -t 60m
> job 2
Some keys are for operators, some for jobs that wait.
at 2s update owner JobId=2 Priority=7
> refused: Changes to job priority are not persistent, change nice instead
at 2s update owner JobId=2 Nice=-5
> refused: Invalid --nice value
at 2s update owner JobId=2 Contiguous=yes
> refused: Access/permission denied
at 2s update owner JobId=2 AdminComment=x
> refused: Access/permission denied
at 2s update owner JobId=2 Reboot=yes
> refused: Access/permission denied (rebooting of nodes is only allowed for admins)
at 2s update operator JobId=2 Reboot=yes
> refused: Access/permission denied (rebooting of nodes is only allowed for admins)
at 2s update operator JobId=2 Contiguous=no
at 2s update owner JobId=1 NumTasks=2
> refused: Job is no longer pending execution
at 2s update owner JobId=1 TimeLimit=70
> refused: Access/permission denied
at 2s update owner JobId=1 Comment=mine Name=other MailUser=-x
> refused: Invalid MailUser value: -x: NAME or NAME@DOMAIN was expected, of letters, digits and . _ + - =, which begin with a letter, a digit or _; several with commas; quotes and other characters that RFC 5321 allows are not taken
at 2s update owner JobId=2 NoSuch=1
> refused: Update of this parameter is not supported: NoSuch=1
at 2s update owner JobId=2 BurstBuffer=1
> refused: Requested operation is not supported (updating BurstBuffer of a job is not implemented yet)
at 2s update JobId=2 Name+=x
> refused: Update of this parameter is not supported: Name+=x
All settings come into force or none does; the last value of a key counts, and each is read as the job was before.
at 3s update owner JobId=2 NumTasks=2 NumTasks=3 TimeLimit=0:30 Partition=none
> refused: Invalid partition name specified
at 3s show sizes 2
> job 2 in p, 01:00:00:
at 3s update owner JobId=2 NumTasks=2 NumTasks=3 TimeLimit=30
at 3s show sizes 2
> job 2 in p, 00:30:00:
at 4s update owner JobId=1 TimeLimit-=30 EndTime=now+3000
The same for partitions.
at 6s update PartitionName=p State=DRAIN MaxTime=1 DefaultTime=2
> refused: Invalid update specification (DefaultTime=2 is more than MaxTime)
at 6s update PartitionName=p PriorityTier=65534
> refused: Invalid update specification (PriorityTier=65534: 0 to 65533 was expected)
at 6s update PartitionName=p Hidden=maybe
> refused: Invalid update specification (Hidden=maybe: YES or NO was expected)
at 6s update PartitionName=p Colour=red
> refused: Requested operation is not supported (updating Colour of a partition is not implemented yet)
at 6s update PartitionName=r State=UP
> refused: Invalid partition name specified
at 6s update PartitionName=p PreemptMode=GANG
> refused: Invalid update specification (PreemptMode=GANG: GANG is for the whole cluster only)
at 7s submit -n1 -t 10m --runs 1m
> job 3
at 7s update PartitionName=q Nodes+=n2 State=DOWN Priority=3
at 7s show priorities
>  2 4294901758: 0.0000 0.2188 0.3333 0.1875 0.2500 0.2500
>  3 4294901757: 0.0000 0.1562 0.3333 0.0625 0.2500 0.2500
What is wrong for all nodes changes none of them.
at 8s update NodeName=n[3-4] Comment=x InstanceId=i-1,i-2,i-3
> refused: Invalid update specification (nodecount mismatch: more than 2 values for 2 nodes)
at 8s update NodeName=n[3-4] State=RESUME ResumeAfter=60
> refused: Invalid update specification (ResumeAfter goes with State=DOWN or State=DRAIN only)
at 8s update NodeName=n[3-4] ActiveFeatures=b
> refused: Invalid feature specification (ActiveFeatures: b is not a feature of node n3)
at 8s update NodeName=n[3-9] State=DRAIN Reason=x
> refused: Invalid node name specified (node n5 is not configured)
at 9s update NodeName=n[3-4] State=DRAIN Reason=dust ResumeAfter=60
at 9s show nodes
> n[1-2] alloc
> n[3-4] drng
at 80s show nodes
> n[1-4] alloc
Power saving takes each key once.
at 81s update SuspendExcNodes=n1 SuspendExcNodes+=n2
> refused: Invalid update specification (SuspendExcNodes is given twice)
at 81s update SuspendExcTimes=n1
> refused: Requested operation is not supported (SuspendExcTimes cannot be updated)
at 81s update SuspendExcNodes=n1 SuspendExcParts=q
> n1
> q
at 3100s show jobs
> at 3004s job 1 TIMEOUT
> at 3004s terminate job 1 on n1
> at 3004s launch job 2 on n2
> at 3004s launch job 3 on n3
> at 3064s job 3 COMPLETED
> at 3064s terminate job 3 on n3
>  2 p      R   1:36 1 n2
