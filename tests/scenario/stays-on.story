A node with an agent that outlives its power-off is reported, is used as it is, and is switched off again after pauses that grow.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=20
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s tell log
> at 0s n1 registers
> at 0s n2 registers
at 0s fault ignores-off n1
at 25s show nodes
> at 20s log: Node n1: suspended, ON -> POWERING_DOWN
> at 20s log: Node n2: suspended, ON -> POWERING_DOWN
> at 20s suspend n[1-2]
> at 25s n2 is lost
> n[1-2] idle%
at 33s show node n1
> at 30s disconnect n1
> at 30s log: Node n1: settled, POWERING_DOWN -> POWERED_DOWN
> at 30s log: Node n2: settled, POWERING_DOWN -> POWERED_DOWN
> n1 IDLE+POWERED_DOWN (idle~, idle~)
at 33s show why n1
> n1 off since 20s until -: was idle for SuspendTime, no job needs it
No job waits for a boot there, also one that wanted it when it seemed to be off.
at 242s submit -w n1 -c2 --runs 5s
> at 35s n1 registers
> at 35s log: Node n1 is still on after power-off: its agent answers with the boot of before (does power.yaml name its own BMC?); it is switched off again in 60 s at the earliest
> at 35s log: Node n1: registered, POWERED_DOWN -> ON
> at 95s log: Node n1: suspended, ON -> POWERING_DOWN
> at 95s suspend n1
> at 105s disconnect n1
> at 105s log: Node n1: settled, POWERING_DOWN -> POWERED_DOWN
> at 110s n1 registers
> at 110s log: Node n1 is still on after power-off: its agent answers with the boot of before (does power.yaml name its own BMC?); it is switched off again in 120 s at the earliest
> at 110s log: Node n1: registered, POWERED_DOWN -> ON
> at 230s log: Node n1: suspended, ON -> POWERING_DOWN
> at 230s suspend n1
> at 240s disconnect n1
> at 240s log: Node n1: settled, POWERING_DOWN -> POWERED_DOWN
> job 1
> at 242s log: Allocate JobId=1 NodeList=n1 #CPUs=2 Partition=p
> at 242s log: Node n1: resumed, POWERED_DOWN -> POWERING_UP
> at 242s resume n1 (job 1: n1)
at 251s show job 1
> at 245s n1 registers: this is an earlier boot
> at 250s n1 registers: this is an earlier boot
> job 1 RUNNING+CONFIGURING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:00 Nodes=n1 CPUs=2 Exit=0:0
A controller that is started again knows when it was suspended.
at 252s kill
at 270s show job 1
> at 252.5s n1 registers
> at 252.5s log: Node n1 is still on after power-off: its agent answers with the boot of before (does power.yaml name its own BMC?); it is switched off again in 240 s at the earliest
> at 252.5s log: Configuration for JobId=1 complete
> at 252.5s launch job 1 on n1
> at 252.5s log: Node n1: registered, POWERING_UP -> ON
> at 257.5s job 1 COMPLETED
> at 257.5s terminate job 1 on n1
> job 1 COMPLETED Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:05 Nodes=n1 CPUs=2 Exit=0:0
at 400s show node n1
> n1 IDLE (idle, idle) Reason=still on after power-off: its agent answers with the boot of before PowerError=still on after power-off: its agent answers with the boot of before
It is mended: it goes off, and all is forgotten when it comes back.
at 1000s repair n1
> at 492.5s log: Node n1: suspended, ON -> POWERING_DOWN
> at 492.5s suspend n1
> at 502.5s disconnect n1
> at 502.5s log: Node n1: settled, POWERING_DOWN -> POWERED_DOWN
> at 507.5s n1 registers
> at 507.5s log: Node n1 is still on after power-off: its agent answers with the boot of before (does power.yaml name its own BMC?); it is switched off again in 480 s at the earliest
> at 507.5s log: Node n1: registered, POWERED_DOWN -> ON
> at 987.5s log: Node n1: suspended, ON -> POWERING_DOWN
> at 987.5s suspend n1
> at 997.5s disconnect n1
> at 997.5s log: Node n1: settled, POWERING_DOWN -> POWERED_DOWN
at 3000s show node n1
> at 1002.5s n1 registers
> at 1002.5s log: Node n1 is still on after power-off: its agent answers with the boot of before (does power.yaml name its own BMC?); it is switched off again in 960 s at the earliest
> at 1002.5s log: Node n1: registered, POWERED_DOWN -> ON
> at 1962.5s log: Node n1: suspended, ON -> POWERING_DOWN
> at 1962.5s suspend n1
> at 1967.5s n1 is lost
> at 1972.5s log: Node n1: settled, POWERING_DOWN -> POWERED_DOWN
> n1 IDLE+POWERED_DOWN (idle~, idle~) Reason=still on after power-off: its agent answers with the boot of before
at 3000s submit -w n1 -c2 --runs 5s
> job 2
> at 3000s log: Allocate JobId=2 NodeList=n1 #CPUs=2 Partition=p
> at 3000s log: Node n1: resumed, POWERED_DOWN -> POWERING_UP
> at 3000s resume n1 (job 2: n1)
at 3040s show node n1
> at 3020s n1 registers
> at 3020s log: Configuration for JobId=2 complete
> at 3020s launch job 2 on n1
> at 3020s log: Node n1: registered, POWERING_UP -> ON
> at 3025s job 2 COMPLETED
> at 3025s terminate job 2 on n1
> n1 IDLE (idle, idle)
