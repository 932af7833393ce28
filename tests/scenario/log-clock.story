The wall clock is set while lines of the log wait to be told together: they are told in time all the same.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=10000
SuspendTimeout=10
ResumeTimeout=600
SuspendRate=0
ResumeRate=0
NodeName=c[1-30] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
at 0s hush disconnect
at 0s delay boot 10s
at 0s tell log
at 30s admin c[1-10] POWER_UP
> at 30s log: Nodes c[1-10]: resumed, POWERED_DOWN -> POWERING_UP
> at 30s resume c[1-10]
at 30.2s admin c[11-20] POWER_UP
> at 30.2s resume c[11-20]
at 30.3s clock back 3600s
> at 30.3s log: Nodes c[11-20]: resumed, POWERED_DOWN -> POWERING_UP
at 35s show nodes
> c[1-20] idle#
> c[21-30] idle~
