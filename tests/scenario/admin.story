What an admin may want, in every state of a node's power.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=300
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SelectTypeParameters=CR_Core
NodeName=n[1-6] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
Asleep.
at 1s admin n1 POWER_UP
> at 1s resume n1
at 2s show node n1
> n1 IDLE+CLOUD+NOT_RESPONDING+POWERING_UP (idle#, idle#)
POWER_UP while it boots runs the program again and gives it time anew.
at 10s admin n1 POWER_UP
> at 10s resume n1
at 25s show node n1
> n1 IDLE+CLOUD (idle, idle)
at 26s admin n1 POWER_UP
POWER_DOWN of an idle node: at once.
at 30s admin n1 POWER_DOWN
> at 30s suspend n1
at 31s show node n1
> n1 IDLE+CLOUD+POWERING_DOWN (idle%, idle%)
at 31s admin n1 POWER_DOWN
POWER_UP while it settles waits until it has.
at 35s admin n1 POWER_UP
at 36s show node n1
> n1 IDLE+CLOUD+POWER_UP+POWERING_DOWN (idle%, idle%)
at 61s show node n1
> at 60s resume n1
> n1 IDLE+CLOUD+NOT_RESPONDING+POWERING_UP (idle#, idle#)
at 90s show node n1
> n1 IDLE+CLOUD (idle, idle)
RESUME while it settles: it is taken as off at once.
at 100s admin n1 POWER_DOWN
> at 100s suspend n1
at 101s admin n1 RESUME
> at 101s disconnect n1
at 102s show node n1
> n1 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
at 103s admin n1 RESUME
> refused: Invalid node state specified
POWER_DOWN of a busy node waits for its job and lets others in; ASAP does not.
at 200s submit -w n2 -n1 --runs 100s
> job 1
> at 200s resume n2 (job 1: n2)
at 230s admin n2 POWER_DOWN
> at 220s launch job 1 on n2
at 231s show node n2
> n2 MIXED+CLOUD+POWER_DOWN (mix!, mixed!)
at 232s submit -w n2 -n1 --runs 20s
> job 2
> at 232s launch job 2 on n2
at 233s show jobs
>  1 p      R   0:13 1 n2
>  2 p      R   0:01 1 n2
at 250s admin n2 POWER_DOWN_ASAP
at 251s show node n2
> n2 ALLOCATED+CLOUD+DRAIN+POWER_DOWN (drng!, draining!) Reason=POWER_DOWN_ASAP
at 252s submit -w n2 -n1 --runs 200s
> at 252s job 2 COMPLETED
> at 252s terminate job 2 on n2
> job 3
at 253s show jobs
>  1 p      R   0:33 1 n2
>  3 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n2)
at 321s show nodes
> at 320s job 1 COMPLETED
> at 320s terminate job 1 on n2
> at 320.001s suspend n2
> n[1,3-6] idle~
> n2 idle%
at 360s show jobs
> at 350.001s resume n2 (job 3: n2)
>  3 p      CF  0:00 1 n2
at 400s admin n2 POWER_DOWN_FORCE
> at 370.001s launch job 3 on n2
> at 400s terminate job 3 on n2 at once
> at 400s job 3 is requeued
> at 400s suspend n2
at 401s show jobs
>  3 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n2)
at 402s show node n2
> n2 IDLE+CLOUD+PLANNED+POWERING_DOWN (idle%, idle%)
at 500s show jobs
> at 430s resume n2 (job 3: n2)
> at 450s launch job 3 on n2
>  3 p      R   0:50 1 n2
A boot is cut short by force.
at 600s admin n3 POWER_UP
> at 600s resume n3
at 605s admin n3 POWER_DOWN_FORCE
> at 605s suspend n3
at 606s show node n3
> n3 IDLE+CLOUD+POWERING_DOWN (idle%, idle%)
Asleep and wanted off once more: the program runs again.
at 700s admin n3 POWER_DOWN
> at 650s job 3 COMPLETED
> at 650s terminate job 3 on n2
> at 700s suspend n3
at 701s show node n3
> n3 IDLE+CLOUD+POWERING_DOWN (idle%, idle%)
DRAIN and DOWN want a reason; UNDRAIN takes the first back, RESUME both.
at 800s admin n4 DRAIN
> refused: You must specify a reason when DOWNING or DRAINING a node. Request denied
at 801s admin n4 DRAIN "disk"
at 802s show node n4
> n4 IDLE+CLOUD+DRAIN+POWERED_DOWN (drain~, drained~) Reason=disk
at 803s admin n4 UNDRAIN
at 804s show node n4
> n4 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
at 805s admin n4 DOWN "disk"
at 806s show node n4
> n4 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=disk
at 807s admin n4 UNDRAIN
at 808s show node n4
> n4 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=disk
at 809s admin n4 RESUME
at 810s show node n4
> n4 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
at 811s admin n4 FAIL "soon"
at 812s show node n4
> n4 IDLE+CLOUD+FAIL+POWERED_DOWN (fail~, fail~) Reason=soon
at 813s admin n4 RESUME
at 814s admin n4 FUTURE
at 815s show node n4
> n4 FUTURE+CLOUD+POWERED_DOWN (futr~, future~)
at 816s admin n4 IDLE
> refused: Invalid node state specified
at 817s admin n4 RESUME
at 818s show node n4
> n4 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
at 819s admin n4 IDLE
at 820s admin n4 SLEEPY
> refused: Invalid node state specified
at 821s admin n4 POWER_D
> at 821s suspend n4
at 822s show node n4
> n4 IDLE+CLOUD+POWERING_DOWN (idle%, idle%)
DOWN ends the jobs of a node that is well, there too.
at 900s submit -w n5 --runs 1000s
> job 4
> at 900s resume n5 (job 4: n5)
at 930s admin n5 DOWN "look inside"
> at 920s launch job 4 on n5
> at 930s terminate job 4 on n5 at once
> at 930s job 4 is requeued
at 931s show node n5
> n5 DOWN+CLOUD (down, down) Reason=look inside
at 932s show job 4
> job 4 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n5 Priority=4294901756 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 940s admin n5 RESUME
> at 940s launch job 4 on n5
at 960s show jobs
> at 950.001s suspend n2
>  4 p      R   0:20 1 n5
at 961s admin n5 NORESP
at 962s show node n5
> n5 MIXED+CLOUD+NOT_RESPONDING (mix*, mixed*)
What it was off for is over when it is switched on; why it is drained is not.
at 1000s admin n1 POWER_UP
> at 1000s resume n1
at 1030s admin n1 POWER_DOWN_ASAP
> at 1030s suspend n1
at 1031s show node n1
> n1 IDLE+CLOUD+POWERING_DOWN (idle%, idle%) Reason=POWER_DOWN_ASAP
at 1070s show node n1
> n1 IDLE+CLOUD+POWERED_DOWN (idle~, idle~) Reason=POWER_DOWN_ASAP
at 1070s admin n1 POWER_UP
> at 1070s resume n1
at 1071s show node n1
> n1 IDLE+CLOUD+NOT_RESPONDING+POWERING_UP (idle#, idle#)
at 1100s admin n1 DRAIN disk
at 1101s admin n1 POWER_DOWN
> at 1101s suspend n1
at 1140s admin n1 POWER_UP
> at 1140s resume n1
at 1141s show node n1
> n1 IDLE+CLOUD+DRAIN+NOT_RESPONDING+POWERING_UP (drain#, drained#) Reason=disk
