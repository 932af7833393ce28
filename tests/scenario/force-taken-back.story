POWER_DOWN_FORCE and POWER_DOWN_ASAP that POWER_UP takes back while SuspendRate holds them up leave nothing behind.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=1
ResumeRate=0
NodeName=n[1-6] CPUs=2
PartitionName=p Nodes=ALL Default=YES SuspendTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 61s admin n6 POWER_DOWN
> at 61s suspend n6
A DRAIN that POWER_DOWN_FORCE was to end stays, also when the node is switched off later.
at 62s admin n1 DRAIN disk
at 62s admin n1 POWER_DOWN_FORCE
at 62s show node n1
> n1 IDLE+DRAIN+POWER_DOWN (drain!, drained!) Reason=disk
at 63s admin n1 POWER_UP
at 63s show node n1
> n1 IDLE+DRAIN (drain, drained) Reason=disk
at 64s admin n1 POWER_DOWN
at 180s show node n1
> at 120s suspend n1
> n1 IDLE+DRAIN+POWERED_DOWN (drain~, drained~) Reason=disk
That of POWER_DOWN_ASAP goes.
at 181s admin n5 POWER_DOWN
> at 181s suspend n5
at 182s admin n2 POWER_DOWN_ASAP
at 182s show node n2
> n2 IDLE+DRAIN+POWER_DOWN (drain!, drained!) Reason=POWER_DOWN_ASAP
at 183s admin n2 POWER_UP
at 183s show node n2
> n2 IDLE (idle, idle)
A later POWER_DOWN is not forced: it asks the node's agent.
at 184s admin n3 POWER_DOWN_FORCE
at 185s admin n3 POWER_UP
at 185s veto n3 lock
at 186s admin n3 POWER_DOWN
at 400s show node n3
> n3 IDLE+POWER_DOWN (idle!, idle!)
