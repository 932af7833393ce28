A node that fails again for what others have been woken past has a fault of its own; kill -9 between the two changes nothing.
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
NodeName=n[1-3] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s delay boot 20s
at 0s fault ignores-on n1
at 1s submit -w n1 -N1 -c2 --runs 10s
> job 1
> at 1s resume n1 (job 1: n1)
at 2s outcome n1 resume common 0s "password refused"
at 3s show brake
> common-cause since 2s: password refused; 0 probes failed, next not before 12s
at 13s outcome n2 resume ok
> at 12s resume n2
> at 13s resume n1 (job 1: n1)
at 13s show brake
> off
at 14s kill
at 15s outcome n1 resume common 0s "password refused"
> at 15s job 1 is requeued
> at 15s resume-fail n1
at 15s show brake
> off
at 15s show node n1
> n1 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=bad-config: password refused PowerError=bad-config: password refused
