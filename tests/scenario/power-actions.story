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
With an action of its own a request needs no program of slurm.conf.
conf
SuspendTimeout=10
PowerAction=other Location=slurmctld Program=/bin/false
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 201s admin n4 POWER_DOWN
> refused: Invalid node state specified
at 201s admin n4 POWER_DOWN action=other
> at 201s suspend n4 by other
at 220s show nodes
> n[1-2] idle
> n[3-4] idle~
