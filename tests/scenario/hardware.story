An agent that registers with less than configured: INVALID_REG and drained, and what waited for it goes elsewhere.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=300
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=2 RealMemory=1000 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s fault low-memory n1
at 1s submit -N1 -c2 --runs 10s
> job 1
> at 1s resume n1 (job 1: n1)
at 22s show node n1
> at 21s n1 registers: Low RealMemory (reported:500 < 90.00% of configured:1000)
> at 21s job 1 is requeued
> at 21s resume n2 (job 1: n2)
> n1 IDLE+CLOUD+DRAIN+INVALID_REG (inval, inval) Reason=Low RealMemory (reported:500 < 90.00% of configured:1000)
at 22s show jobs
>  1 p      CF  0:00 1 n2
at 60s repair n1
> at 41s n2 registers
> at 41s launch job 1 on n2
> at 51s job 1 COMPLETED
> at 51s terminate job 1 on n2
at 61s admin n1 RESUME
> refused: Invalid node state specified
at 62s restart n1
> at 62s n1 is lost
at 64s show node n1
> at 63s n1 registers
> n1 IDLE+CLOUD+DRAIN (drain, drained) Reason=Low RealMemory (reported:500 < 90.00% of configured:1000)
at 65s admin n1 UNDRAIN
at 66s show node n1
> n1 IDLE+CLOUD (idle, idle)
Processes that do not die drain their node.
at 100s fault unkillable n2
at 101s submit -w n2 --runs 5s
> job 2
> at 101s launch job 2 on n2
at 200s show node n2
> at 106s job 2 COMPLETED
> at 106s terminate job 2 on n2
> n2 IDLE+CLOUD+DRAIN (drain, drained) Reason=Kill task failed
The switch does nothing: an agent that lives on is asked to tell anew.
at 300s fault ignores-off n1
at 400s show nodes
> at 321s suspend n1
> at 351s disconnect n1
> at 356s n1 registers
> n1 idle
> n2 drain
at 460s show node n1
> n1 IDLE+CLOUD (idle, idle) Reason=still on after power-off: its agent answers with the boot of before PowerError=still on after power-off: its agent answers with the boot of before
