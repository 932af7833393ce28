What Resume and Suspend programs say of single nodes (docs/states.md): ok, capacity, no-power, no-boot, bad-config, fatal.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=300
SuspendTimeout=120
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmdTimeout=100
NodeName=n[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
No capacity: the job goes elsewhere at once, as if it had never had the node, which rests as long as was said.
at 0s fault never-registers n[1,4]
at 1s submit -N2 -c2 --runs 10s
> job 1
> at 1s resume n[1-2] (job 1: n[1-2])
at 3s outcome n1 resume capacity 100s "quota of zone b"
> at 3s resume n3 (job 1: n3)
at 4s show nodes
> n[1,4] idle~
> n[2-3] alloc#
at 4s show job 1
> job 1 RUNNING+CONFIGURING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:00 Nodes=n[2-3] CPUs=4 Exit=0:0
at 5s submit -w n1 --runs 10s
> job 2
at 5s show job 2
> job 2 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n1 Priority=4294901758 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 40s show node n1
> at 21s n2 registers
> at 23s n3 registers
> at 23s launch job 1 on n2
> at 33s job 1 COMPLETED
> at 33s terminate job 1 on n2
> n1 IDLE+CLOUD+POWERED_DOWN (idle~, idle~) PowerError=capacity: quota of zone b
at 50s switch off n1
at 60s repair n1
at 104s show nodes
> at 103s resume n1 (job 2: n1)
> n1 mix#
> n[2-3] idle
> n4 idle~
The words of a run that is over, or of the other program, change nothing.
at 105s outcome n1 suspend ok
> n1 is past that
at 105s outcome n2 resume fatal
> n2 is past that
An ok changes nothing but what is shown: the registration decides.
at 106s outcome n1 resume ok
at 106s show node n1
> n1 MIXED+CLOUD+NOT_RESPONDING+POWERING_UP (mix#, mixed#)
Confirmed off: usable at once, not after SuspendTimeout.
at 340s outcome n2 suspend ok
> at 123s n1 registers
> at 123s launch job 2 on n1
> at 133s job 2 COMPLETED
> at 133s terminate job 2 on n1
> at 333s suspend n3
> at 333.001s suspend n2
> at 338s n3 is lost
> at 338.001s n2 is lost
at 340s submit -w n2 -c2 --runs 10s
> job 3
> at 340s resume n2 (job 3: n2)
at 341s show nodes
> n1 idle
> n2 alloc#
> n3 idle%
> n4 idle~
at 1100s show nodes
> at 360s n2 registers
> at 360s launch job 3 on n2
> at 370s job 3 COMPLETED
> at 370s terminate job 3 on n2
> at 433.001s suspend n1
> at 438.001s n1 is lost
> at 670.001s suspend n2
> at 675.001s n2 is lost
> n[1-4] idle~
No power: its job waits for any node again, and has this one after the pause; the second time it is DOWN as after ResumeTimeout.
at 1101s submit -w n4 --runs 10s
> job 4
> at 1101s resume n4 (job 4: n4)
at 1102s outcome n4 resume no-power 30s "BMC is silent"
at 1103s show node n4
> n4 IDLE+CLOUD+POWERED_DOWN (idle~, idle~) PowerError=no-power: BMC is silent
at 1103s show job 4
> job 4 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n4 Priority=4294901756 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 1135s outcome n4 resume no-boot 0s "no DHCP"
> at 1132s resume n4 (job 4: n4)
> at 1135s job 4 is requeued
> at 1135s resume-fail n4
at 1136s show node n4
> n4 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=no-boot: no DHCP PowerError=no-boot: no DHCP
at 1136s admin n4 RESUME
> at 1136s resume n4 (job 4: n4)
at 1137s show node n4
> n4 MIXED+CLOUD+NOT_RESPONDING+POWERING_UP (mix#, mixed#)
No longer than ResumeTimeout, whatever the program says; the next try gets through, and what was wrong is forgotten.
at 1137s submit -w n4 --runs 10s
> job 5
at 1138s outcome n4 resume no-power 3600s
at 1139s show node n4
> n4 IDLE+CLOUD+POWERED_DOWN (idle~, idle~) PowerError=no-power
at 1139s switch off n4
at 1150s repair n4
at 1230s show node n4
> at 1198s resume n4 (job 4: n4)
> at 1218s n4 registers
> at 1218s launch job 4 on n4
> at 1228s job 4 COMPLETED
> at 1228s terminate job 4 on n4
> at 1228.001s launch job 5 on n4
> n4 MIXED+CLOUD (mix, mixed)
By hand, and no job waits: it is tried again too.
at 1990s fault never-registers n3
> at 1238.001s job 5 COMPLETED
> at 1238.001s terminate job 5 on n4
> at 1538.002s suspend n4
> at 1543.002s n4 is lost
at 2000s admin n3 POWER_UP
> at 2000s resume n3
at 2001s outcome n3 resume no-power 10s
at 2002s show node n3
> n3 IDLE+CLOUD+POWER_UP+POWERED_DOWN (idle~, idle~) PowerError=no-power
at 2012s show node n3
> at 2011s resume n3
> n3 IDLE+CLOUD+NOT_RESPONDING+POWERING_UP (idle#, idle#) PowerError=no-power
Where another try is no use it is DOWN at once.
at 2013s outcome n3 resume bad-config 0s "unknown image"
> at 2013s resume-fail n3
at 2013s show node n3
> n3 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=bad-config: unknown image PowerError=bad-config: unknown image
at 2013s submit -w n2 --runs 10s
> job 6
> at 2013s resume n2 (job 6: n2)
at 2014s outcome n2 resume fatal
> at 2014s job 6 is requeued
> at 2014s resume-fail n2
at 2016s show node n2
> n2 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=fatal PowerError=fatal
at 2016s show job 6
> job 6 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n2 Priority=4294901754 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 2017s cancel 6
> at 2017s job 6 CANCELLED
at 2018s switch off n[2-3]
at 2030s repair n3
at 2040s admin n[2-3] RESUME
Not switched off: it counts as on, and is used again when its agent has come back; the power-off is tried again.
at 2990s fault ignores-off n1
at 3000s admin n1 POWER_UP
> at 3000s resume n1
at 3100s show node n1
> at 3020s n1 registers
> n1 IDLE+CLOUD (idle, idle)
at 3340s outcome n1 suspend no-power 30s "BMC is silent"
> at 3320s suspend n1
> at 3340s disconnect n1
at 3340s show node n1
> n1 IDLE+CLOUD+NOT_RESPONDING (idle*, idle*) PowerError=no-power: BMC is silent
at 3340s submit -w n1 -c2 --runs 5s
> job 7
at 3340s show job 7
> job 7 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n1 Priority=4294901753 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 3346s show node n1
> at 3345s n1 registers
> at 3345s launch job 7 on n1
> n1 ALLOCATED+CLOUD (alloc, allocated) PowerError=no-power: BMC is silent
at 3690s repair n1
> at 3350s job 7 COMPLETED
> at 3350s terminate job 7 on n1
> at 3650.001s suspend n1
at 3800s show node n1
> at 3770.001s disconnect n1
> at 3775.001s n1 registers
> n1 IDLE+CLOUD (idle, idle) Reason=still on after power-off: its agent answers with the boot of before PowerError=still on after power-off: its agent answers with the boot of before
By hand: the wish stays.
at 4000s admin n1 POWER_UP
at 4025s fault ignores-off n1
at 4030s admin n1 POWER_DOWN
> at 4030s suspend n1
at 4031s outcome n1 suspend no-power
> at 4031s disconnect n1
at 4032s show node n1
> n1 IDLE+CLOUD+POWER_DOWN+NOT_RESPONDING (idle!, idle!) Reason=still on after power-off: its agent answers with the boot of before PowerError=no-power
at 4100s show node n1
> at 4036s n1 registers
> at 4091s suspend n1
> n1 IDLE+CLOUD+POWERING_DOWN (idle%, idle%) Reason=still on after power-off: its agent answers with the boot of before PowerError=no-power
Three in a row: quarantine, until an admin clears it.
at 4101s outcome n1 suspend no-power
> at 4101s disconnect n1
at 4200s outcome n1 suspend no-power 0s "still silent"
> at 4106s n1 registers
> at 4161s suspend n1
> at 4200s disconnect n1
at 4201s show node n1
> n1 IDLE+CLOUD+DRAIN+NOT_RESPONDING (drain*, drained*) Reason=quarantined after 3 power failures in a row, the last: no-power: still silent PowerError=no-power: still silent
at 5000s show node n1
> at 4205s n1 registers
> n1 IDLE+CLOUD+DRAIN (drain, drained) Reason=quarantined after 3 power failures in a row, the last: no-power: still silent PowerError=no-power: still silent
at 5000s submit -w n1 --runs 5s
> job 8
at 5000s show job 8
> job 8 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n1 Priority=4294901752 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 5001s admin n1 RESUME
> at 5001s launch job 8 on n1
at 5010s show node n1
> at 5006s job 8 COMPLETED
> at 5006s terminate job 8 on n1
> n1 IDLE+CLOUD (idle, idle)
at 5010s show job 8
> job 8 COMPLETED Reason=None Priority=4294901752 Restarts=0 RunTime=00:00:05 Nodes=n1 CPUs=1 Exit=0:0
A failure that is told after SuspendTimeout is believed.
at 5020s repair n1
at 6000s admin n1 POWER_UP
> at 5306.001s suspend n1
> at 5311.001s n1 is lost
> at 6000s resume n1
at 6100s admin n1 POWER_DOWN
> at 6020s n1 registers
> at 6100s suspend n1
at 6300s show node n1
> at 6105s n1 is lost
> n1 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
at 6301s outcome n1 suspend fatal 200s "fuse"
at 6302s show node n1
> n1 IDLE+CLOUD+POWER_DOWN+NOT_RESPONDING (idle!, idle!) PowerError=fatal: fuse
at 6800s show node n1
> at 6501s suspend n1
> n1 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
What a BMC has read is news whatever became of the node: here that it did go off, told late. A node that is seen on after that was switched on by hand.
at 6900s admin n4 POWER_UP
> at 6900s resume n4
at 7000s admin n4 POWER_DOWN
> at 6920s n4 registers
> at 7000s suspend n4
at 7200s show node n4
> at 7005s n4 is lost
> n4 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
at 7201s outcome n4 suspend ok 0s "" off
> n4 is past that
at 7210s switch on n4
at 7211s audit n4
> n4 reads on: switched on by hand
