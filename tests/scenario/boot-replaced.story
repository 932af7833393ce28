A boot that fails frees its job at once, which takes nodes that are up, or have woken well, before such that are failing now.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SelectType=select/linear
NodeName=n[1-8] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s delay boot 5s
The BMC of n1 is dead, which its program finds out; that of n2 says yes, and it never boots.
at 0s fault never-registers n[1-2]
at 1s submit -N2 --runs 10s
> job 1
> at 1s resume n[1-2] (job 1: n[1-2])
at 11s outcome n1 resume no-power 10s "no answer"
> at 11s resume n3 (job 1: n3)
at 11s outcome n2 resume ok
at 12s show nodes
> n[1,4-8] idle~
> n[2-3] alloc#
at 12s show job 1
> job 1 RUNNING+CONFIGURING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:00 Nodes=n[2-3] CPUs=4 Exit=0:0
at 100s show nodes
> at 16s n3 registers
> at 61s job 1 is requeued
> at 61s resume n4 (job 1: n4)
> at 61s resume-fail n2
> at 66s n4 registers
> at 66s launch job 1 on n3
> at 76s job 1 COMPLETED
> at 76s terminate job 1 on n3
> n[1,5-8] idle~
> n2 down~
> n[3-4] idle
No job needs n1 meanwhile: those that woke well are taken, and others that sleep, before it.
at 200s submit -N3 --runs 10s
> job 2
> at 200s resume n5 (job 2: n5)
at 250s show nodes
> at 205s n5 registers
> at 205s launch job 2 on n3
> at 215s job 2 COMPLETED
> at 215s terminate job 2 on n3
> n[1,6-8] idle~
> n2 down~
> n[3-5] idle
Where nothing else is left it is tried again, and is DOWN then.
at 300s submit -w n1 --runs 10s
> job 3
> at 300s resume n1 (job 3: n1)
at 301s outcome n1 resume no-power 10s "no answer"
> at 301s job 3 is requeued
> at 301s resume-fail n1
at 302s show job 3
> job 3 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n1 Priority=4294901757 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 303s cancel 3
> at 303s job 3 CANCELLED
Boots that say nothing, and expire a tenth of a second apart.
at 400s fault never-registers n[6-7]
at 400s submit -w n6 --runs 1s
> job 4
> at 400s resume n6 (job 4: n6)
at 400.1s submit -w n7 --runs 1s
> job 5
> at 400.1s resume n7 (job 5: n7)
at 401s cancel 4
> at 401s job 4 CANCELLED
at 401s cancel 5
> at 401s job 5 CANCELLED
at 401s submit -N4 --runs 10s
> job 6
at 402s show job 6
> job 6 RUNNING+CONFIGURING Reason=None Priority=4294901754 Restarts=0 RunTime=00:00:00 Nodes=n[3-6] CPUs=8 Exit=0:0
at 459s show nodes
> n[1-2] down~
> n[3-5] alloc
> n6 alloc#
> n7 idle#
> n8 idle~
at 480s show jobs
> at 460s job 6 is requeued
> at 460s resume n8 (job 6: n8)
> at 460s resume-fail n6
> at 460.1s resume-fail n7
> at 465s n8 registers
> at 465s launch job 6 on n3
> at 475s job 6 COMPLETED
> at 475s terminate job 6 on n3
at 480s show nodes
> n[1-2,6-7] down~
> n[3-5,8] idle
