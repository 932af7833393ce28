A node that is put back into service by itself (ResumeAfter).
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=INFINITE
SuspendTimeout=10
ResumeTimeout=60
SlurmdTimeout=60
ReturnToService=0
NodeName=n[1-7] CPUs=2
NodeName=c1 CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES SuspendTime=20000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
Only of one that is out of service.
at 1s resume-after n1 100s
> refused: Invalid node state specified
at 1s resume-after n1 never
DOWN, and drained under a job that goes on.
at 2s admin n1 DOWN fan
at 2s resume-after n1 100s
at 2s submit -w n2 --runs 200s
> job 1
> at 2s launch job 1 on n2
at 3s admin n2 DRAIN disk
at 3s resume-after n2 50s
at 52s show node n2
> n2 MIXED+DRAIN (drng, draining) Reason=disk
at 54s show node n2
> n2 MIXED (mix, mixed)
at 101s show node n1
> n1 DOWN (down, down) Reason=fan
at 103s show node n1
> n1 IDLE (idle, idle)
at 103s show nodes
> n[1,3-7] idle
> n2 mix
> c1 idle~
The last word counts; taken back, it stays.
at 110s admin n3 DOWN a
at 110s resume-after n3 100s
at 111s resume-after n3 1000s
at 112s admin n4 DOWN b
at 112s resume-after n4 100s
at 113s resume-after n4 never
at 300s show nodes
> at 202s job 1 COMPLETED
> at 202s terminate job 1 on n2
> n[1-2,5-7] idle
> n[3-4] down
> c1 idle~
at 1112s show nodes
> n[1-3,5-7] idle
> n4 down
> c1 idle~
Put back by hand before: what comes later is another matter.
at 1200s admin n5 DRAIN c
at 1200s resume-after n5 100s
at 1210s admin n5 UNDRAIN
at 1220s admin n5 DRAIN d
at 1400s show node n5
> n5 IDLE+DRAIN (drain, drained) Reason=d
One without its agent must show within SlurmdTimeout that it is there.
at 1500s cut n6
at 1501s admin n6 DOWN e
at 1501s resume-after n6 100s
at 1602s show node n6
> n6 IDLE+NOT_RESPONDING (idle*, idle*)
at 1665s show node n6
> n6 DOWN+NOT_RESPONDING (down*, down*) Reason=Not responding
One that sleeps goes on sleeping and may be given to jobs.
at 1700s admin c1 DOWN f
at 1700s resume-after c1 100s
at 1801s show node c1
> c1 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
One that must not be resumed is not.
at 1900s fault low-memory n7
at 1900s restart n7
at 1902s show node n7
> n7 IDLE+DRAIN+INVALID_REG (inval, inval) Reason=Low RealMemory (reported:0 < 100.00% of configured:1)
at 1903s resume-after n7 10s
at 1920s show node n7
> n7 IDLE+DRAIN+INVALID_REG (inval, inval) Reason=Low RealMemory (reported:0 < 100.00% of configured:1)
