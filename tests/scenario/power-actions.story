PowerAction: requests name a program of their own, which outlives kill -9; nodes with different ones have a run each.
conf
SuspendProgram=usual
ResumeProgram=/bin/true
RebootProgram=/bin/true
SuspendTime=3000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
PowerAction=usual Location=slurmctld Program="/bin/true -v"
PowerAction=halt Location=slurmd Program="/usr/sbin/shutdown -h now"
PowerAction=other Location=slurmctld Program=/bin/false
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=off Nodes=ALL PowerDownOnIdle=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 10s admin n[1-2] POWER_DOWN action=halt
> at 10s suspend n[1-2] by halt
at 10s admin n3 POWER_DOWN
> at 10s suspend n3
at 10s kill
> at 10s suspend n3
at 30s show nodes
> n[1-3] idle~
> n4 idle
at 30s admin n1 POWER_UP action=other
> at 30s resume n1 by other
at 30s admin n2 POWER_UP action=halt
> refused: PowerAction halt has Location=slurmd: nodes without power run nothing
at 30s admin n2 POWER_UP action=nothing
> refused: slurm.conf has no PowerAction "nothing"
at 60s show nodes
> n[1,4] idle
> n[2-3] idle~
What is not asked for has slurm.conf's.
at 60s submit -w n2 --runs 1s
> job 1
> at 60s resume n2 (job 1: n2)
at 100s reboot n1 action=halt
> at 80s launch job 1 on n2
> at 81s job 1 COMPLETED
> at 81s terminate job 1 on n2
> at 100s reboot n1 by halt
at 200s show nodes
> n[1-2,4] idle
> n3 idle~
One that finds nothing to do leaves its action to nothing: not to what comes later, nor instead of what waits.
at 200s admin n4 POWER_UP action=other
at 200s submit -p off -w n4 --runs 1s
> job 2
> at 200s launch job 2 on n4
at 210s submit -w n1 --runs 10s
> at 201s job 2 COMPLETED
> at 201s terminate job 2 on n4
> at 201.001s suspend n4
> job 3
> at 210s launch job 3 on n1
at 211s reboot n1 action=halt
at 211s admin n1 POWER_UP action=other
at 290s show nodes
> at 220s job 3 COMPLETED
> at 220s terminate job 3 on n1
> at 220.001s reboot n1 by halt
> n[1-2] idle
> n[3-4] idle~
at 290s admin n4 POWER_UP
> at 290s resume n4
Nor is it that of a reboot which it ends.
at 350s submit -w n1 --runs 10s
> job 4
> at 350s launch job 4 on n1
at 351s reboot n1 action=halt
at 351s admin n1 POWER_DOWN action=other
at 370s admin n1 POWER_UP
> at 360s job 4 COMPLETED
> at 360s terminate job 4 on n1
> at 360.001s suspend n1 by other
at 400s show nodes
> at 370.001s resume n1
> n[1-2,4] idle
> n3 idle~
With an action of its own a request needs no program of slurm.conf.
conf
SuspendTimeout=10
PowerAction=other Location=slurmctld Program=/bin/false
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 401s admin n4 POWER_DOWN
> refused: Invalid node state specified
at 401s admin n4 POWER_DOWN action=other
> at 401s suspend n4 by other
at 420s show nodes
> n[1-2] idle
> n[3-4] idle~
