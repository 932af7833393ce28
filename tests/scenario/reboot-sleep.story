Reboots and power saving: a node that reboots is not put to sleep, however long it had been idle; its idle clock starts when it is back, or is not back in time.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
RebootProgram=/sbin/reboot
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=once Nodes=n4 PowerDownOnIdle=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 95s reboot n1
> at 95s reboot n1
at 96s admin n2 drain disk
at 97s reboot n2
> at 97s reboot n2
at 98s fault never-registers n3
at 98s reboot n3
> at 98s reboot n3
at 105s show nodes
> at 100s suspend n4
> n[1-3] boot^
> n4 idle%
at 130s show nodes
> n1 idle
> n2 drain
> n3 boot^
> n4 idle~
at 150s reboot n4
> refused: Invalid node state specified
at 200s show nodes
> n1 idle
> n2 drain
> n3 down*
> n4 idle~
at 300s show nodes
> at 215s suspend n1
> at 217s suspend n2
> at 258s suspend n3
> n[1,4] idle~
> n2 drain~
> n3 down~
PowerDownOnIdle comes after a reboot that was asked for before; a reboot is refused once the node is to go off.
at 400s submit -w n4 -n1 --runs 100s
> job 1
> at 400s resume n4 (job 1: n4)
at 410s show nodes
> n1 idle~
> n2 drain~
> n3 down~
> n4 mix#
at 425s reboot n4
> at 420s launch job 1 on n4
at 426s submit -w n4 -n1 -p once --runs 50s
> job 2
at 430s show node n4
> n4 MIXED+REBOOT_REQUESTED+PLANNED (mix@, mixed@) Reason=reboot requested
at 431s reboot n4
> refused: Invalid node state specified
at 545s show nodes
> at 520s job 1 COMPLETED
> at 520s terminate job 1 on n4
> at 520.001s reboot n4
> at 540.001s launch job 2 on n4
> n1 idle~
> n2 drain~
> n3 down~
> n4 mix!
at 560s show nodes
> n1 idle~
> n2 drain~
> n3 down~
> n4 mix!
at 600s show nodes
> at 590.001s job 2 COMPLETED
> at 590.001s terminate job 2 on n4
> at 590.002s suspend n4
> n1 idle~
> n2 drain~
> n3 down~
> n4 idle%
