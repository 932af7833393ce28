Power saving is switched on over a cluster that has idled for long: all nodes are due at once, and SuspendRate lets them go
one by one from then on; nothing was saved up while it was off.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendRate=6
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1000s show nodes
> n[1-4] idle
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=60
SuspendTimeout=5
SuspendRate=6
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 1100s show nodes
> at 1010s suspend n1
> at 1020s suspend n2
> at 1030s suspend n3
> at 1040s suspend n4
> n[1-4] idle~
