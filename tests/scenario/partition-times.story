The largest SuspendTime of a node's partitions counts, else the cluster's; a partition with INFINITE keeps its nodes up.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=50
SuspendTimeout=10
SuspendRate=0
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=slow Nodes=n[2-3] SuspendTime=200 SuspendTimeout=100
PartitionName=awake Nodes=n3 SuspendTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 55s show nodes
> at 50s suspend n[1,4]
> n[1,4] idle%
> n[2-3] idle
at 65s show nodes
> n[1,4] idle~
> n[2-3] idle
at 250s show nodes
> at 200s suspend n2
> n[1,4] idle~
> n2 idle%
> n3 idle
at 310s show nodes
> n[1-2,4] idle~
> n3 idle
at 1000s show nodes
> n[1-2,4] idle~
> n3 idle
