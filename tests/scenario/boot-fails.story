Boots that fail: ResumeTimeout makes the node DOWN, sends its job back, runs ResumeFailProgram; an agent that comes
too late is trusted as ReturnToService says (here 0: an admin must).
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
NodeName=n[1-3] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s fault never-registers n1
at 1s submit -N1 -c2 --runs 10s
> job 1
> at 1s resume n1 (job 1: n1)
at 1s submit -N1 -c2 --no-requeue --runs 10s -w n1
> job 2
at 61s show node n1
> at 61s job 1 is requeued
> at 61s resume n2 (job 1: n2)
> at 61s resume-fail n1
> n1 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=ResumeTimeout reached
at 62s show node n1
> n1 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=ResumeTimeout reached
at 62s show jobs
>  1 p      CF  0:00 1 n2
>  2 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
The second waited for n1 and still does.
at 90s show job 1
> at 81s n2 registers
> at 81s launch job 1 on n2
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=1 RunTime=00:00:09 Nodes=n2 CPUs=2 Exit=0:0
at 91s repair n1
> at 91s job 1 COMPLETED
> at 91s terminate job 1 on n2
at 92s admin n1 RESUME
> at 92s resume n1 (job 2: n1)
at 93s show nodes
> n1 alloc#
> n2 idle
> n3 idle~
at 130s show job 2
> job 2 RUNNING+CONFIGURING Reason=None Priority=4294901758 Restarts=0 RunTime=00:00:00 Nodes=n1 CPUs=2 Exit=0:0
A job that may not be requeued ends NODE_FAIL.
at 3000s fault never-registers n2
> at 152s job 2 NODE_FAIL
> at 152s resume-fail n1
> at 391.001s suspend n2
> at 396.001s n2 is lost
at 3001s submit -w n2 --no-requeue --runs 10s
> job 3
> at 3001s resume n2 (job 3: n2)
at 3062s show job 3
> at 3061s job 3 NODE_FAIL
> at 3061s resume-fail n2
> job 3 NODE_FAIL Reason=NodeDown Priority=4294901757 Restarts=0 RunTime=00:00:00 Nodes=n2 CPUs=1 Exit=0:0
A late registration: the machine is switched on again by hand.
at 3070s switch off n2
at 3080s repair n2
at 3081s switch on n2
at 3102s show node n2
> at 3101s n2 registers
> n2 DOWN+CLOUD (down, down) Reason=Node unexpectedly rebooted
at 3103s admin n2 RESUME
at 3104s show node n2
> n2 IDLE+CLOUD (idle, idle)
Cancelled before its node is up: the boot goes on, and the node sleeps again after SuspendTime.
at 4000s submit -w n3 --runs 10s
> at 3403s suspend n2
> at 3408s n2 is lost
> job 4
> at 4000s resume n3 (job 4: n3)
at 4005s cancel 4
> at 4005s job 4 CANCELLED
at 4006s show nodes
> n1 down~
> n2 idle~
> n3 idle#
at 4330s show nodes
> at 4020s n3 registers
> at 4320s suspend n3
> at 4325s n3 is lost
> n1 down~
> n2 idle~
> n3 idle%
at 4400s show nodes
> n1 down~
> n[2-3] idle~
The reason of before is kept, and ours is added.
at 5000s fault never-registers n3
at 5001s admin n3 DRAIN "bad fan"
at 5002s admin n3 POWER_UP
> at 5002s resume n3
at 5070s show node n3
> at 5062s resume-fail n3
> n3 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=bad fan : ResumeTimeout reached
