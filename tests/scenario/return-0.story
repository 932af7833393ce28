ReturnToService=0: which nodes are trusted again.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=300
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
ReturnToService=0
SlurmdTimeout=100
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
SuspendExcNodes=n[1-2]
end
at 0s show nodes
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> n[1-4] idle
Silent for SlurmdTimeout, then back without a reboot.
at 10s cut n1
> at 10s n1 is lost
at 10s show node n1
> n1 IDLE+NOT_RESPONDING (idle*, idle*)
at 111s show node n1
> n1 DOWN+NOT_RESPONDING (down*, down*) Reason=Not responding
at 120s mend n1
> at 120s n1 registers
at 121s show node n1
> n1 DOWN (down, down) Reason=Not responding
Rebooted by itself.
at 200s switch off n2
at 210s switch on n2
> at 205s n2 is lost
at 240s show node n2
> at 230s n2 registers
> n2 DOWN (down, down) Reason=Node unexpectedly rebooted
Switched on by hand while it sleeps.
at 400s show nodes
> at 300s suspend n[3-4]
> at 305s n3 is lost
> at 305s n4 is lost
> n[1-2] down
> n[3-4] idle~
at 410s switch on n3
at 440s show node n3
> at 430s n3 registers
> n3 DOWN (down, down) Reason=Node unexpectedly rebooted
Set DOWN by an admin, its agent restarts.
at 500s admin n2 RESUME
at 501s admin n2 DOWN "testing"
at 502s restart n2
> at 502s n2 is lost
at 504s show node n2
> at 503s n2 registers
> n2 DOWN (down, down) Reason=testing
