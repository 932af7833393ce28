Which idle nodes sleep: not the excluded ones, not those with a stopped job; DOWN ones too; and not faster than
SuspendRate (6 a minute).
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=6
ResumeRate=6
SuspendExcNodes=n1
SuspendExcParts=never
SuspendExcStates=DRAIN
NodeName=n[1-8] CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=never Nodes=n2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
at 1s admin n3 DRAIN "why not"
at 2s admin n4 DOWN "broken"
at 3s submit -w n5
> job 1
> at 3s launch job 1 on n5
at 4s suspend 1
> at 4s freeze job 1 on n5
at 5s show nodes
> n[1-2,5-8] idle
> n3 drain
> n4 down
at 99s show nodes
> n[1-2,5-8] idle
> n3 drain
> n4 down
at 150s show nodes
> at 100s suspend n4
> at 110s suspend n6
> at 120s suspend n7
> at 130s suspend n8
> n[1-2,5] idle
> n3 drain
> n4 down~
> n[6-8] idle~
at 151s cancel 1
> at 151s job 1 CANCELLED
> at 151s terminate job 1 on n5
at 240s show nodes
> n[1-2,5] idle
> n3 drain
> n4 down~
> n[6-8] idle~
at 260s show nodes
> at 251.001s suspend n5
> n[1-2] idle
> n3 drain
> n4 down~
> n5 idle%
> n[6-8] idle~
Waking is limited too.
at 300s submit -N3 -x n[1-2] --runs 10s
> job 2
> at 300s resume n5 (job 2: n5)
at 301s show nodes
> n[1-2] idle
> n3 drain
> n4 down~
> n5 mix#
> n[6-7] mix~
> n8 idle~
at 345s show nodes
> at 310s resume n6 (job 2: n6)
> at 320s launch job 2 on n5
> at 320s resume n7 (job 2: n7)
> at 330s job 2 COMPLETED
> at 330s terminate job 2 on n5
> n[1-2,5-7] idle
> n3 drain
> n4 down~
> n8 idle~
