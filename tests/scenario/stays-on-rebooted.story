A node that outlived its power-off and is then booted anew is told of for the new boot, not for the power-off that is over.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=20
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
ReturnToService=1
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s fault ignores-off n[1-2]
> at 0s n1 registers
> at 0s n2 registers
at 40s show node n1
> at 20s suspend n[1-2]
> at 30s disconnect n1
> at 30s disconnect n2
> at 35s n1 registers
> at 35s n2 registers
> n1 IDLE (idle, idle) Reason=still on after power-off: its agent answers with the boot of before PowerError=still on after power-off: its agent answers with the boot of before
Its machine is booted by hand while it is on.
at 41s repair n1
at 41s switch off n1
at 47s switch on n1
> at 46s n1 is lost
at 70s show node n1
> at 67s n1 registers
> n1 DOWN (down, down) Reason=Node unexpectedly rebooted
at 71s show why n1
> n1 registered since 67s until 87s: DOWN: Node unexpectedly rebooted; idle, off after SuspendTime
Likewise while it seems to be off.
at 96s repair n2
> at 87s suspend n1
> at 92s n1 is lost
> at 95s suspend n2
at 96s switch off n2
at 108s switch on n2
> at 101s n2 is lost
at 140s show node n2
> at 128s n2 registers
> n2 DOWN (down, down) Reason=Node unexpectedly rebooted
One that is trusted again (ReturnToService=2) has nothing to tell.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=20
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
ReturnToService=2
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 141s admin n2 resume
at 141s fault ignores-off n2
at 180s show node n2
> at 161s suspend n2
> at 171s disconnect n2
> at 176s n2 registers
> n2 IDLE (idle, idle) Reason=still on after power-off: its agent answers with the boot of before PowerError=still on after power-off: its agent answers with the boot of before
at 181s repair n2
at 181s switch off n2
at 187s switch on n2
> at 186s n2 is lost
at 209s show node n2
> at 207s n2 registers
> n2 IDLE (idle, idle)
