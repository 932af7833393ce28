A reconfigure takes nothing of what ResumeRate has let in: neither what a quiet spell has left, nor the part of a minute that a node has
waited.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=60
NodeName=n[1-20] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
at 60s show nodes
> n[1-20] idle~
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=60
NodeName=n[1-20] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES MaxTime=100
end
at 61s submit -N5 --runs 10s
> job 1
> at 61s resume n[1-5] (job 1: n[1-5])
at 200s show nodes
> at 81s launch job 1 on n1
> at 91s job 1 COMPLETED
> at 91s terminate job 1 on n1
> at 191s suspend n[2-5]
> at 191.001s suspend n1
> n[1-5] idle%
> n[6-20] idle~
Another rate begins anew, with nothing.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=1
NodeName=n[1-20] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES MaxTime=100
end
at 201s admin n20 POWER_UP
at 241s show node n20
> n20 IDLE+CLOUD+POWER_UP+POWERED_DOWN (idle~, idle~)
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=1
NodeName=n[1-20] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES MaxTime=200
end
at 300s show node n20
> at 260s resume n20
> n20 IDLE+CLOUD (idle, idle)
