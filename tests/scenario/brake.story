Waking is stopped while it fails for a common cause (docs/states.md, "The brake").
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
end
at 0s tell log
A fault that is not the node's: it stays idle~, its job is pending with the cause, and nothing more is woken.
at 0s delay boot 20s
at 0s fault ignores-on n[1-8]
at 1s submit -w n1 -N1 -c2 --runs 10s
> job 1
> at 1s log: Allocate JobId=1 NodeList=n1 #CPUs=2 Partition=p
> at 1s log: Node n1: resumed, POWERED_DOWN -> POWERING_UP
> at 1s resume n1 (job 1: n1)
at 1s submit -w n2 -N1 -c2 --runs 10s
> job 2
> at 1s log: Allocate JobId=2 NodeList=n2 #CPUs=2 Partition=p
> at 1s log: Node n2: resumed, POWERED_DOWN -> POWERING_UP
> at 1s resume n2 (job 2: n2)
at 2s outcome n1 resume common 0s "power.yaml line 3: key bmcc is not known"
> at 2s log: Waking of nodes is stopped (common-cause): n1 could not be woken: power.yaml line 3: key bmcc is not known; one at a time is tried again
> at 2s log: JobId=1 could not take its nodes and waits again: a node of it cannot be woken
> at 2s log: Node n1: boot-failed, POWERING_UP -> POWERED_DOWN
at 2s show jobs
>  1 p      PD  0:00 1 (Nodes cannot be woken: power.yaml line 3: key bmcc is not known)
>  2 p      CF  0:00 1 n2
at 2s show job 1
> job 1 PENDING Reason=PowerNotAvail Nodes cannot be woken: power.yaml line 3: key bmcc is not known Priority=4294901759 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 2s show brake
> common-cause since 2s: power.yaml line 3: key bmcc is not known; 0 probes failed, next not before 12s
The second of the same kind is not logged; its job waits for the same.
at 3s outcome n2 resume common 0s "power.yaml line 3: key bmcc is not known"
> at 3s log: JobId=2 could not take its nodes and waits again: a node of it cannot be woken
> at 3s log: Node n2: boot-failed, POWERING_UP -> POWERED_DOWN
at 3s show nodes
> n[1-8] idle~
at 3s show jobs
>  1 p      PD  0:00 1 (Nodes cannot be woken: power.yaml line 3: key bmcc is not known)
>  2 p      PD  0:00 1 (Nodes cannot be woken: power.yaml line 3: key bmcc is not known)
at 4s submit -N2 -c2 --runs 10s
> job 3
at 4s show jobs
>  1 p      PD  0:00 1 (Nodes cannot be woken: power.yaml line 3: key bmcc is not known)
>  2 p      PD  0:00 1 (Nodes cannot be woken: power.yaml line 3: key bmcc is not known)
>  3 p      PD  0:00 2 (Nodes cannot be woken: power.yaml line 3: key bmcc is not known)
at 4s show job 3
> job 3 PENDING Reason=PowerNotAvail Nodes cannot be woken: power.yaml line 3: key bmcc is not known Priority=4294901757 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
The probe is a node that has not failed; it fails, too, and the next pause is longer.
at 13s show brake
> at 12s log: Node n3 is woken as a test, 10 s after waking was stopped
> at 12s resume n3
> at 12s log: Node n3: resumed, POWERED_DOWN -> POWERING_UP
> common-cause since 2s: power.yaml line 3: key bmcc is not known; 0 probes failed, under way: n3
at 14s outcome n3 resume common 0s "power.yaml line 3: key bmcc is not known"
> at 14s log: Node n3: boot-failed, POWERING_UP -> POWERED_DOWN
at 15s show brake
> common-cause since 2s: power.yaml line 3: key bmcc is not known; 1 probes failed, next not before 34s
at 40s show brake
> at 34s log: Node n4 is woken as a test, 32 s after waking was stopped
> at 34s resume n4
> at 34s log: Node n4: resumed, POWERED_DOWN -> POWERING_UP
> common-cause since 2s: power.yaml line 3: key bmcc is not known; 1 probes failed, under way: n4
The file is mended: the probe's program reads it as on, and all goes on by itself.
at 40s repair n[1-8]
at 40s switch on n4
at 41s outcome n4 resume ok
> at 41s log: Nodes are woken again: n4 could be woken
> at 41s log: Allocate JobId=1 NodeList=n1 #CPUs=2 Partition=p
> at 41s log: Allocate JobId=2 NodeList=n2 #CPUs=2 Partition=p
> at 41s log: Allocate JobId=3 NodeList=n[3-4] #CPUs=4 Partition=p
> at 41s log: Node n1: resumed, POWERED_DOWN -> POWERING_UP
> at 41s log: Node n2: resumed, POWERED_DOWN -> POWERING_UP
> at 41s log: Node n3: resumed, POWERED_DOWN -> POWERING_UP
> at 41s resume n[1-3] (job 1: n1; job 2: n2; job 3: n3)
at 41s show brake
> off
at 41s show jobs
>  1 p      CF  0:00 1 n1
>  2 p      CF  0:00 1 n2
>  3 p      CF  0:00 2 n[3-4]
at 100s show jobs
> at 60s n4 registers
> at 60s log: Node n4: registered, POWERING_UP -> ON
> at 61s n1 registers
> at 61s log: Configuration for JobId=1 complete
> at 61s launch job 1 on n1
> at 61s log: Node n1: registered, POWERING_UP -> ON
> at 61s n2 registers
> at 61s log: Configuration for JobId=2 complete
> at 61s launch job 2 on n2
> at 61s log: Node n2: registered, POWERING_UP -> ON
> at 61s n3 registers
> at 61s log: Configuration for JobId=3 complete
> at 61s launch job 3 on n3
> at 61s log: Node n3: registered, POWERING_UP -> ON
> at 71s job 1 COMPLETED
> at 71s terminate job 1 on n1
> at 71s job 2 COMPLETED
> at 71s terminate job 2 on n2
> at 71s job 3 COMPLETED
> at 71s terminate job 3 on n3
at 100s show nodes
> n[1-4] idle
> n[5-8] idle~
The same for a node that fails although others could be woken since its last failure: it is its own, and nothing stops for it.
at 101s submit -w n5 -N1 -c2 --runs 10s
> job 4
> at 101s log: Allocate JobId=4 NodeList=n5 #CPUs=2 Partition=p
> at 101s log: Node n5: resumed, POWERED_DOWN -> POWERING_UP
> at 101s resume n5 (job 4: n5)
at 102s outcome n5 resume common 0s "password refused"
> at 102s log: Waking of nodes is stopped (common-cause): n5 could not be woken: password refused; one at a time is tried again
> at 102s log: JobId=4 could not take its nodes and waits again: a node of it cannot be woken
> at 102s log: Node n5: boot-failed, POWERING_UP -> POWERED_DOWN
at 102s show brake
> common-cause since 102s: password refused; 0 probes failed, next not before 112s
at 113s show brake
> at 112s log: Node n6 is woken as a test, 10 s after waking was stopped
> at 112s resume n6
> at 112s log: Node n6: resumed, POWERED_DOWN -> POWERING_UP
> common-cause since 102s: password refused; 0 probes failed, under way: n6
at 114s outcome n6 resume ok
> at 114s log: Nodes are woken again: n6 could be woken
> at 114s log: Allocate JobId=4 NodeList=n5 #CPUs=2 Partition=p
> at 114s log: Node n5: resumed, POWERED_DOWN -> POWERING_UP
> at 114s resume n5 (job 4: n5)
at 115s show brake
> off
at 116s outcome n5 resume common 0s "password refused"
> at 116s log: Node n5 could not be switched on: bad-config: password refused
> at 116s log: Node n5 is down: bad-config: password refused
> at 116s log: JobId=4 lost node n5
> at 116s log: Requeuing JobId=4 (restart 1)
> at 116s job 4 is requeued
> at 116s resume-fail n5
> at 116s log: Node n5: boot-failed, POWERING_UP -> POWERED_DOWN
at 117s show node n5
> n5 DOWN+CLOUD+POWERED_DOWN (down~, down~) Reason=bad-config: password refused PowerError=bad-config: password refused
at 117s show brake
> off
at 118s cancel 4
> at 118s job 4 CANCELLED
at 118s admin n5 RESUME
A program that cannot be run, or fails without a word, is such a fault, too; when it ends well again, waking goes on.
at 150s fault ignores-on n[1-8]
> at 121s n5 registers
> at 121s log: Node n5: registered, POWERED_DOWN -> ON
> at 132s n6 registers
> at 132s log: Node n6: registered, POWERING_UP -> ON
at 150s submit -w n7 -N1 -c2 --runs 10s
> job 5
> at 150s log: Allocate JobId=5 NodeList=n7 #CPUs=2 Partition=p
> at 150s log: Node n7: resumed, POWERED_DOWN -> POWERING_UP
> at 150s resume n7 (job 5: n7)
at 151s exited n7 "ResumeProgram: exit status 3"
> at 151s log: Waking of nodes is stopped (common-cause): n7 could not be woken: ResumeProgram: exit status 3; one at a time is tried again
> at 151s log: JobId=5 could not take its nodes and waits again: a node of it cannot be woken
> at 151s log: Node n7: boot-failed, POWERING_UP -> POWERED_DOWN
at 152s show job 5
> job 5 PENDING Reason=PowerNotAvail Nodes cannot be woken: ResumeProgram: exit status 3 Priority=4294901755 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 162s show brake
> at 161s log: Node n8 is woken as a test, 10 s after waking was stopped
> at 161s resume n8
> at 161s log: Node n8: resumed, POWERED_DOWN -> POWERING_UP
> common-cause since 151s: ResumeProgram: exit status 3; 0 probes failed, under way: n8
at 163s exited n8 well
> at 163s log: Nodes are woken again: n8 could be woken
> at 163s log: Allocate JobId=5 NodeList=n7 #CPUs=2 Partition=p
> at 163s log: Node n7: resumed, POWERED_DOWN -> POWERING_UP
> at 163s resume n7 (job 5: n7)
at 163s show brake
> off
