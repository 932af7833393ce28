Boots that fail one after the other stop waking, too; what the controller knew of that outlives kill -9 at any moment.
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
NodeName=n[1-8] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 3
yaml brake_share: 50
yaml brake_window: 4
yaml brake_pause: 20
yaml brake_pause_max: 50
end
at 0s delay boot 20s
One dead node, tried again and again, stops nothing.
at 0s fault ignores-on n1
at 1s submit -w n1 -N1 -c2 --runs 10s
> job 1
> at 1s resume n1 (job 1: n1)
at 2s outcome n1 resume no-power 5s "BMC is silent"
at 7.5s outcome n1 resume no-power 5s "BMC is silent"
> at 7s resume n1 (job 1: n1)
> at 7.5s job 1 is requeued
> at 7.5s resume-fail n1
at 8s show nodes
> n1 down~
> n[2-8] idle~
at 8s show brake
> off
at 8s cancel 1
> at 8s job 1 CANCELLED
at 8s repair n1
at 8s admin n1 RESUME
at 9s submit -w n1 -N1 -c2 --runs 1s
> job 2
> at 9s resume n1 (job 2: n1)
at 60s show nodes
> at 29s n1 registers
> at 29s launch job 2 on n1
> at 30s job 2 COMPLETED
> at 30s terminate job 2 on n1
> n1 idle
> n[2-8] idle~
at 61s admin n1 POWER_DOWN_FORCE
> at 61s suspend n1
The PXE server is away: three different nodes in a row time out, all others stay asleep, though ten were wanted.
at 100s fault ignores-on n[2-8]
> at 66s n1 is lost
at 100s submit -w n[2-8] -N7 -c2 --runs 10s
> job 3
> at 100s resume n[2-8] (job 3: n[2-8])
at 170s show nodes
> at 160s job 3 is requeued
> at 160s suspend n[2,4-8]
> at 160s resume-fail n[2-8]
> n1 idle~
> n[2,4-8] idle%
> n3 down~
at 170s show brake
> share-of-failures since 160s: ResumeTimeout reached; 0 probes failed, next not before 180s
at 170s show jobs
>  3 p      PD  0:00 7 (Nodes cannot be woken: ResumeTimeout reached)
Killed: the next controller knows all of it.
at 171s kill
at 172s show brake
> share-of-failures since 160s: ResumeTimeout reached; 0 probes failed, next not before 180s
at 172s show nodes
> n1 idle~
> n[2,4-8] idle%
> n3 down~
at 172s show job 3
> job 3 PENDING Reason=PowerNotAvail Nodes cannot be woken: ResumeTimeout reached Priority=4294901757 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
The probe fails; killed while it is under way; the pause grows to its limit.
at 181s show brake
> at 180s resume n1
> share-of-failures since 160s: ResumeTimeout reached; 0 probes failed, under way: n1
at 185s kill
at 186s show brake
> share-of-failures since 160s: ResumeTimeout reached; 0 probes failed, under way: n1
at 250s show brake
> at 200s n1 registers
> at 200s suspend n3
> at 230s resume n[2-8] (job 3: n[2-8])
> off
at 300s show brake
> at 290s job 3 is requeued
> at 290s suspend n[2-3,6-8]
> at 290s resume-fail n[2-8]
> failures-in-a-row since 290s: ResumeTimeout reached; 0 probes failed, next not before 310s
No job waits any more: the probe that is under way is the last.
at 350s cancel 3
> at 310s resume n4
> at 350s job 3 CANCELLED
at 700s show brake
> at 370s suspend n4
> at 370s resume-fail n4
> failures-in-a-row since 290s: ResumeTimeout reached; 1 probes failed, next not before 410s
A person's wish is the probe, at once.
at 700s repair n[2-8]
at 710s admin n5 POWER_UP
> at 710s resume n5
at 710s show brake
> failures-in-a-row since 290s: ResumeTimeout reached; 1 probes failed, under way: n5
at 712s kill
at 713s show brake
> at 712.5s n1 registers
> failures-in-a-row since 290s: ResumeTimeout reached; 1 probes failed, under way: n5
at 740s show brake
> at 730s n5 registers
> at 730s suspend n4
> off
at 740s show nodes
> n[1,5] idle
> n[2-3,6-8] idle~
> n4 idle%
Those that went DOWN for it are back.
at 741s submit -w n[2-4] -N3 -c2 --runs 5s
> job 4
at 780s show nodes
> at 760s resume n[2-4] (job 4: n[2-4])
> at 780s n2 registers
> at 780s n3 registers
> at 780s n4 registers
> at 780s launch job 4 on n2
> n[1,5] idle
> n[2-4] alloc
> n[6-8] idle~
More than half of the last four: stopped, and killed in the same moment.
at 800s admin n[1-5] POWER_DOWN_FORCE
> at 785s job 4 COMPLETED
> at 785s terminate job 4 on n2
> at 800s suspend n[1-5]
at 840s show nodes
> at 805s n1 is lost
> at 805s n2 is lost
> at 805s n3 is lost
> at 805s n4 is lost
> at 805s n5 is lost
> n[1-8] idle~
at 840s fault ignores-on n[2,4]
at 841s submit -w n1 -N1 -c2 --runs 5s
> job 5
> at 841s resume n1 (job 5: n1)
at 870s submit -w n2 -N1 -c2 --runs 5s
> at 861s n1 registers
> at 861s launch job 5 on n1
> at 866s job 5 COMPLETED
> at 866s terminate job 5 on n1
> job 6
> at 870s resume n2 (job 6: n2)
at 940s submit -w n3 -N1 -c2 --runs 5s
> at 930s job 6 is requeued
> at 930s resume-fail n2
> job 7
> at 940s resume n3 (job 7: n3)
at 970s submit -w n4 -N1 -c2 --runs 5s
> at 960s n3 registers
> at 960s launch job 7 on n3
> at 965s job 7 COMPLETED
> at 965s terminate job 7 on n3
> job 8
> at 970s resume n4 (job 8: n4)
at 1031s show brake
> at 1030s job 8 is requeued
> at 1030s resume-fail n4
> off
at 1031s fault ignores-on n6
at 1032s submit -w n6 -N1 -c2 --runs 5s
> job 9
> at 1032s resume n6 (job 9: n6)
at 1093s show brake
> at 1092s suspend n6
> at 1092s resume-fail n6
> share-of-failures since 1092s: ResumeTimeout reached; 0 probes failed, next not before 1112s
at 1093s kill
at 1094s show brake
> at 1093.5s n1 registers
> at 1093.694s n3 registers
> share-of-failures since 1092s: ResumeTimeout reached; 0 probes failed, next not before 1112s
at 1094s show jobs
>  6 p      PD  0:00 1 (Nodes cannot be woken: ResumeTimeout reached)
>  8 p      PD  0:00 1 (Nodes cannot be woken: ResumeTimeout reached)
>  9 p      PD  0:00 1 (Nodes cannot be woken: ResumeTimeout reached)
at 1094s repair n[1-8]
A reconfigure says that it was mended: the probe need not wait.
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
NodeName=n[1-8] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 3
yaml brake_window: 4
end
> at 1094s resume n5
at 1095s show brake
> share-of-failures since 1092s: ResumeTimeout reached; 0 probes failed, under way: n5
at 1120s show brake
> at 1114s n5 registers
> at 1114s suspend n[2,4]
> off
at 1200s show nodes
> at 1122s resume n6 (job 9: n6)
> at 1142s n6 registers
> at 1142s launch job 9 on n6
> at 1144s resume n[2,4] (job 6: n2; job 8: n4)
> at 1147s job 9 COMPLETED
> at 1147s terminate job 9 on n6
> at 1164s n2 registers
> at 1164s launch job 6 on n2
> at 1164s n4 registers
> at 1164s launch job 8 on n4
> at 1169s job 6 COMPLETED
> at 1169s terminate job 6 on n2
> at 1169s job 8 COMPLETED
> at 1169s terminate job 8 on n4
> n[1-6] idle
> n[7-8] idle~
at 1200s show jobs
