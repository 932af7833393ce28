scontrol reboot: a node reboots when it is idle, and is back when it registers from its new boot.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=10000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
RebootProgram=/sbin/reboot
NodeName=n[1-6] CPUs=2
NodeName=c1 CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
An idle one at once; one with a job when it has ended, and no job slips in between.
at 1s submit -w n1 --runs 30s
> job 1
> at 1s launch job 1 on n1
at 2s reboot n[1-2]
> at 2s reboot n2
at 3s show nodes
> n1 mix@
> n2 boot^
> n[3-6] idle
> c1 idle~
at 4s submit -w n2 --exclusive --runs 5s
> job 2
at 5s submit -w n1 -n1 --runs 60s
> job 3
at 50s show nodes
> at 22s launch job 2 on n2
> at 27s job 2 COMPLETED
> at 27s terminate job 2 on n2
> at 31s job 1 COMPLETED
> at 31s terminate job 1 on n1
> at 31.001s reboot n1
> n1 boot^
> n[2-6] idle
> c1 idle~
at 130s show nodes
> at 51.001s launch job 3 on n1
> at 111.001s job 3 COMPLETED
> at 111.001s terminate job 3 on n1
> n[1-6] idle
> c1 idle~
ASAP drains until it is back, DOWN is what is wanted after it.
at 200s submit -w n3 -n1 --runs 20s
> job 4
> at 200s launch job 4 on n3
at 201s reboot n3 asap
at 202s show nodes
> n[1-2,4-6] idle
> n3 drng@
> c1 idle~
at 202s show node n3
> n3 MIXED+DRAIN+REBOOT_REQUESTED (drng@, draining@) Reason=Reboot ASAP
at 203s reboot n4 next=DOWN kernel
> at 203s reboot n4
at 300s show nodes
> at 220s job 4 COMPLETED
> at 220s terminate job 4 on n3
> at 220.001s reboot n3
> n[1-3,5-6] idle
> n4 down
> c1 idle~
at 301s show node n4
> n4 DOWN (down, down) Reason=kernel : reboot issued : reboot complete
at 302s show node n3
> n3 IDLE (idle, idle)
One that does not come back is told so; one that is DOWN stays DOWN unless RESUME is wanted.
at 310s fault never-registers n5
at 311s reboot n5
> at 311s reboot n5
at 312s show nodes
> n[1-3,6] idle
> n4 down
> n5 boot^
> c1 idle~
at 400s show node n5
> n5 DOWN+NOT_RESPONDING (down*, down*) Reason=reboot timed out
at 401s repair n5
at 402s reboot n5 next=RESUME
> at 402s reboot n5
at 500s show nodes
> n[1-3,5-6] idle
> n4 down
> c1 idle~
What has no power, or is being rebooted, is refused; a wish can be taken back, and power down goes before it.
at 501s reboot c1
> refused: Invalid node state specified
at 502s submit -w n6 --runs 100s
> job 5
> at 502s launch job 5 on n6
at 503s reboot n6
at 504s reboot n6
> refused: Invalid node state specified
at 505s show node n6
> n6 MIXED+REBOOT_REQUESTED (mix@, mixed@) Reason=reboot requested
at 506s admin n6 CANCEL_REBOOT
at 507s admin n6 CANCEL_REBOOT
> refused: Invalid node state specified
at 508s reboot n6
at 509s admin n6 POWER_DOWN
at 510s show node n6
> n6 MIXED+POWER_DOWN (mix!, mixed!)
One that is drained is drained for the same reason when it is back.
at 520s admin n2 drain fan
at 521s reboot n2
> at 521s reboot n2
at 522s show node n2
> n2 DOWN+DRAIN+REBOOT_ISSUED+NOT_RESPONDING (boot^, reboot^) Reason=fan : reboot issued
at 600s show node n2
> n2 IDLE+DRAIN (drain, drained) Reason=fan
