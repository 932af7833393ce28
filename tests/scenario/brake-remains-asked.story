Of the nodes that come back when the brake ends, those that a person has asked for are woken as was asked; another waits for
SuspendRate to be switched off, and does not want that any more where SuspendProgram is gone.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=1
ResumeRate=0
PowerAction=foo Location=slurmctld Program=/bin/false
NodeName=n[1-6] CPUs=2
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 4
yaml boot_retries: 0
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 0s delay boot 20s
at 1s admin n[1-6] POWER_DOWN
at 900s fault ignores-on n[2-5]
> at 60s suspend n1
> at 120s suspend n2
> at 180s suspend n3
> at 240s suspend n4
> at 300s suspend n5
> at 360s suspend n6
at 901s submit -w n[2-5] -N4 -c2 --runs 20s
> job 1
> at 901s resume n[2-5] (job 1: n[2-5])
at 961s repair n[2-6]
> at 961s job 1 is requeued
> at 961s suspend n2
> at 961s resume-fail n[2-5]
at 962s admin n[3-4] POWER_UP action=foo
> at 962s resume n3 by foo
at 984s show nodes
> at 982s resume n4 by foo
> n[1,5-6] idle~
> n2 idle%
> n3 idle
> n4 idle#
at 984s show why n4
> n4 power-command since 982s until 1042s: as asked for by hand (uid 0)
at 984s show why n5
> n5 off since 901s until -: could not be woken (ResumeTimeout reached), no job needs it
conf
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=1
ResumeRate=0
PowerAction=foo Location=slurmctld Program=/bin/false
NodeName=n[1-6] CPUs=2
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 4
yaml boot_retries: 0
end
at 1090s show nodes
> n[1-2,5-6] idle~
> n[3-4] idle
at 1090s show node n5
> n5 IDLE+POWERED_DOWN (idle~, idle~)
