SuspendExcNodes with counts keeps so many of a set up, those that work among them; scontrol changes the exclusions.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendExcNodes=n[1-6]:2,n8
ReconfigFlags=KeepPowerSaveSettings
NodeName=n[1-8] CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n[5-6]
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
Two of the six stay, the first ones; n7 has no count and n8 stays for ever.
at 150s show nodes
> at 100s suspend n[3-7]
> n[1-2,8] idle
> n[3-7] idle~
A job on a node of the set counts: n1 works, so that with it n2 is enough, and both stay.
at 200s submit -N1 --runs 300s
> job 1
> at 200s launch job 1 on n1
at 201s show nodes
> n1 mix
> n[2,8] idle
> n[3-7] idle~
A job needs a third one; it counts as well, and the two that merely waited may not go before it has come up.
at 210s submit -N1 -w n4 --runs 50s
> job 2
> at 210s resume n4 (job 2: n4)
at 300s show nodes
> at 230s launch job 2 on n4
> at 230s suspend n2
> at 280s job 2 COMPLETED
> at 280s terminate job 2 on n4
> n1 mix
> n[2-3,5-7] idle~
> n[4,8] idle
at 600s show nodes
> at 500s job 1 COMPLETED
> at 500s terminate job 1 on n1
> n[1,4,8] idle
> n[2-3,5-7] idle~
The whole set at once by scontrol, and what cannot be.
at 601s update SuspendExcNodes+=n1
> refused: Invalid update specification (SuspendExcNodes: += and -= do not go with counts (:N); set the whole value)
at 602s update SuspendExcNodes=n[1-6]:9x
> refused: Invalid update specification (SuspendExcNodes: "9x" is not a number of nodes)
at 603s update SuspendExcNodes=n[1-9]
> refused: Invalid update specification (SuspendExcNodes: there is no node "n9")
at 604s update SuspendExcNodes=n3
> n3
> at 604s suspend n[1,4,8]
at 605s show nodes
> n[1,4,8] idle%
> n[2-3,5-7] idle~
at 606s update SuspendExcNodes+=n[1-2]
> n[1-3]
at 607s update SuspendExcNodes-=n3
> n[1-2]
at 608s update SuspendExcParts+=q
> q
at 609s update SuspendExcParts=nowhere
> refused: Invalid update specification (SuspendExcParts: there is no partition "nowhere")
at 610s update SuspendExcStates=DRAIN,CLOUD
> DRAIN,CLOUD
at 611s update SuspendExcStates+=SLEEPY
> refused: Invalid update specification (SuspendExcStates: "SLEEPY" is not a state of a node)
at 612s update SuspendExcStates-=cloud
> DRAIN
at 613s update SuspendExcStates=(null)
> (null)
A reconfigure keeps them with KeepPowerSaveSettings.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendExcNodes=n8
ReconfigFlags=KeepPowerSaveSettings
NodeName=n[1-8] CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n[5-6]
end
at 614s update SuspendExcNodes+=n1
> n[1-2]
Without the flag what slurm.conf says is in force again.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendExcNodes=n8
NodeName=n[1-8] CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n[5-6]
end
at 615s update SuspendExcNodes+=n1
> n[1,8]
at 800s show nodes
> n[1-8] idle~
