POWER_UP of a node that is up and waits for SuspendRate, having idled for SuspendTime: it is nothing, as in Slurm, and the node is switched
off at its turn.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=1
ResumeRate=0
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 130s show nodes
> at 100s suspend n1
> at 120s suspend n2
> n[1-2] idle~
> n3 idle
at 130s admin n3 POWER_UP
at 300s show nodes
> at 180s suspend n3
> n[1-3] idle~
