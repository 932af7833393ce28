A node that is drained while it is DOWN for a boot that failed keeps the drain and its reason when the brake's cause is over.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
ReturnToService=1
NodeName=n[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 2
yaml brake_pause: 20
end
at 0s delay boot 20s
at 0s fault ignores-on n[1-2]
at 1s submit -w n1 -N1 -c2 --runs 10s
> job 1
> at 1s resume n1 (job 1: n1)
at 70s show node n1
> at 61s job 1 is requeued
> at 61s resume-fail n1
> n1 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=ResumeTimeout reached
at 70s cancel 1
> at 70s job 1 CANCELLED
at 71s admin n1 DRAIN "bad fan"
at 72s submit -w n2 -N1 -c2 --runs 10s
> job 2
> at 72s resume n2 (job 2: n2)
at 140s show brake
> at 132s suspend n2
> at 132s resume-fail n2
> failures-in-a-row since 132s: ResumeTimeout reached; 0 probes failed, next not before 152s
at 200s show brake
> at 152s resume n3
> at 172s n3 registers
> at 172s resume n2 (job 2: n2)
> off
at 200s show node n1
> n1 IDLE+CLOUD+DRAIN+POWERED_DOWN (drain~, drained~) Reason=bad fan
