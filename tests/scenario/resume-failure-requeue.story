requeue_on_resume_failure: a batch job whose node does not come up goes back to the queue, also with --no-requeue, as it never
ran; what has begun, and what is no batch job, ends as ever.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=3000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SchedulerParameters=requeue_on_resume_failure
NodeName=n[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 0
yaml brake_share: 0
end
at 0s delay boot 20s
at 0s fault never-registers n1
at 1s submit -w n1 --no-requeue --runs 10s
> job 1
> at 1s resume n1 (job 1: n1)
at 62s show job 1
> at 61s job 1 is requeued
> at 61s resume-fail n1
> job 1 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n1 Priority=4294901759 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 62s show nodes
> n1 down~
> n[2-4] idle~
at 63s cancel 1
> at 63s job 1 CANCELLED
A node that is drained while its job waits for its boot is no other case.
at 63s submit -w n2 --no-requeue --runs 100s
> job 2
> at 63s resume n2 (job 2: n2)
at 64s admin n2 DRAIN test
> at 64s job 2 is requeued
at 65s show job 2
> job 2 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n2 Priority=4294901758 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
One that has begun ends.
at 66s submit -w n3 --no-requeue --runs 1000s
> job 3
> at 66s resume n3 (job 3: n3)
at 100s admin n3 DOWN test
> at 83s n2 registers
> at 86s n3 registers
> at 86s launch job 3 on n3
> at 100s terminate job 3 on n3 at once
> at 100s job 3 NODE_FAIL
at 101s show job 3
> job 3 NODE_FAIL Reason=NodeDown Priority=4294901757 Restarts=0 RunTime=00:00:14 Nodes=n3 CPUs=1 Exit=0:0
Without the option the job ends.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=3000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 0
yaml brake_share: 0
end
at 102s fault never-registers n4
at 103s submit -w n4 --no-requeue --runs 10s
> job 4
> at 103s resume n4 (job 4: n4)
at 170s show job 4
> at 163s job 4 NODE_FAIL
> at 163s resume-fail n4
> job 4 NODE_FAIL Reason=NodeDown Priority=4294901756 Restarts=0 RunTime=00:00:00 Nodes=n4 CPUs=1 Exit=0:0
