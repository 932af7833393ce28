A job asks for a changeable feature, and the nodes that could have it sleep: one is woken, and rebooted if it comes up without.
conf
RebootProgram=/sbin/reboot
SuspendProgram=/sbin/off
ResumeProgram=/sbin/on
SuspendTime=60
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmdTimeout=30
SelectTypeParameters=CR_Core
NodeName=n[1-3] CPUs=2 Feature=f1,f2,l1
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s helpers "NodeName=n[1-3] Feature=f1,f2 Helper=/bin/helper" "MutuallyExclusive=f1,f2" "AllowUserBoot=user"
at 0s image n1 f1
at 0s image n2 f1
at 0s image n3 f2
at 0s restart n[1-3]
at 90s show node n1
> at 60s suspend n[1-3]
> n1 IDLE+POWERED_DOWN (idle~, idle~)
at 90s show features n3
> n3 has nothing active
The one that had it when it was switched off is woken, not the first one.
at 100s submit -C f2 -n1 --runs 10s
> job 1
> at 100s resume n3 (job 1: n3)
at 140s show features n3
> at 120s launch job 1 on n3
> at 130s job 1 COMPLETED
> at 130s terminate job 1 on n3
> n3 has f2 active
They exclude each other.
at 150s submit -C f1&f2 -n1
> refused: Requested node configuration is not available
One that has another is woken all the same, and rebooted into it when it registers.
at 300s show nodes
> at 190.001s suspend n3
> n[1-3] idle~
at 310s submit -C f2 -w n1 -n1 --runs 10s
> job 2
> at 310s resume n1 (job 2: n1)
at 331s show node n1
> at 330s reboot n1
> n1 MIXED+REBOOT_ISSUED+NOT_RESPONDING+POWERING_UP (mix^, mixed^)
at 331s show why n1
> n1 reboot since 330s until 390s: being rebooted for features f2 of JobId=2
at 331s show slowest 2
> job 2 waits for n1
at 380s show features n1
> at 350s launch job 2 on n1
> at 360s job 2 COMPLETED
> at 360s terminate job 2 on n1
> n1 has f2 active
The next time it has it: no reboot.
at 500s show nodes
> at 420.001s suspend n1
> n[1-3] idle~
at 510s submit -C f2 -w n1 -n1 --runs 10s
> job 3
> at 510s resume n1 (job 3: n1)
at 600s show nodes
> at 530s launch job 3 on n1
> at 540s job 3 COMPLETED
> at 540s terminate job 3 on n1
> n1 idle
> n[2-3] idle~
A person has changed what it boots: it is rebooted again.
at 700s image n1 f1
> at 600.001s suspend n1
at 710s submit -C f2 -w n1 -n1 --runs 10s
> job 4
> at 710s resume n1 (job 4: n1)
at 800s show features n1
> at 730s reboot n1
> at 750s launch job 4 on n1
> at 760s job 4 COMPLETED
> at 760s terminate job 4 on n1
> n1 has f2 active
It comes up without once more: it is drained, and the job waits.
at 900s image n1 f1
> at 820.001s suspend n1
at 901s fault keeps-image n1
at 910s submit -C f2 -w n1 -n1 --runs 10s
> job 5
> at 910s resume n1 (job 5: n1)
at 1000s show node n1
> at 930s reboot n1
> at 950s job 5 is requeued
> n1 IDLE+DRAIN+INVALID_REG (inval, inval) Reason=Reported active features (f1) are not a superset of currently active changeable features (f2)
at 1001s show jobs
>  5 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
at 1002s cancel 5
> at 1002s job 5 CANCELLED
at 1003s repair n1
When it is off it is not known any more what it boots, and an admin may put it back.
at 1080s admin n1 resume
> at 1010s suspend n1
A user not in AllowUserBoot wakes one that should have it.  If it has not, the job looks elsewhere and the node stays as it is.
at 1100s helpers "NodeName=n[1-3] Feature=f1,f2 Helper=/bin/helper" "MutuallyExclusive=f1,f2" "AllowUserBoot=root"
at 1101s image n3 f1
at 1102s show nodes
> n[1-3] idle~
at 1110s submit -C f2 -n1 --runs 10s
> job 6
> at 1110s resume n3 (job 6: n3)
at 1140s show jobs
>  6 p      PD  0:00 1 (Resources)
at 1141s show nodes
> n[1-2] idle~
> n3 idle
at 1142s show features n3
> n3 has f1 active
at 1143s cancel 6
> at 1143s job 6 CANCELLED
at 1144s submit -C f1 -w n2 -n1 --runs 10s
> job 7
> at 1144s resume n2 (job 7: n2)
at 1300s show nodes
> at 1164s launch job 7 on n2
> at 1174s job 7 COMPLETED
> at 1174s terminate job 7 on n2
> at 1190s suspend n3
> at 1234.001s suspend n2
> n[1-3] idle~
A job that goes before its node is up leaves it to whatever it boots.
at 1310s helpers "NodeName=n[1-3] Feature=f1,f2 Helper=/bin/helper" "MutuallyExclusive=f1,f2" "AllowUserBoot=user"
at 1400s submit -C f2 -w n2 -n1
> job 8
> at 1400s resume n2 (job 8: n2)
at 1405s cancel 8
> at 1405s job 8 CANCELLED
at 1440s show node n2
> n2 IDLE (idle, idle)
at 1441s show features n2
> n2 has f1 active
One that wakes for a job is not rebooted under it.
at 1500s show nodes
> at 1480s suspend n2
> n[1-3] idle~
at 1510s submit -C l1 -w n2 -n1 --runs 10s
> job 9
> at 1510s resume n2 (job 9: n2)
at 1511s submit -C f2 -w n2 -n1 --runs 10s
> job 10
at 1600s show jobs
> at 1530s launch job 9 on n2
> at 1540s job 9 COMPLETED
> at 1540s terminate job 9 on n2
> at 1540.001s reboot n2
> at 1560.001s launch job 10 on n2
> at 1570.001s job 10 COMPLETED
> at 1570.001s terminate job 10 on n2
