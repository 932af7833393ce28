DebugFlags=Power: each decision of power saving and its reason.
conf
DebugFlags=Power
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=60
ResumeRate=60
SlurmctldParameters=power_save_interval=1
SuspendExcNodes=n3
NodeName=n[1-5] CPUs=2
NodeName=c[1-6] CPUs=2 State=CLOUD
PartitionName=p Nodes=n[1-5] Default=YES
PartitionName=c Nodes=c[1-6]
PartitionName=d Nodes=c6 PowerDownOnIdle=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 1s tell log
at 5s veto n2 session
> at 5s log: Node n2 must not be switched off: session
at 50s admin n2 POWER_DOWN
> at 50s log: POWER: n2 stays up: its agent's veto
at 60s admin n5 DRAIN fan
at 250s show nodes
> at 100s log: POWER: n3 stays up: SuspendExcNodes
> at 100s log: POWER: n1 is switched off: idle for 100 s, SuspendTime is 100 s
> at 100s log: Node n1: suspended, ON -> POWERING_DOWN
> at 100s log: POWER: SuspendRate lets no more nodes pass now, 3 wait
> at 100s suspend n1
> at 101s log: POWER: n4 is switched off: idle for 101 s, SuspendTime is 100 s
> at 101s log: Node n4: suspended, ON -> POWERING_DOWN
> at 101s log: POWER: SuspendRate lets no more nodes pass now, 2 wait
> at 101s suspend n4
> at 102s log: POWER: n5 is switched off: idle for 102 s, SuspendTime is 100 s
> at 102s log: Node n5: suspended, ON -> POWERING_DOWN
> at 102s suspend n5
> at 110s log: Node n1: settled, POWERING_DOWN -> POWERED_DOWN
> at 111s log: Node n4: settled, POWERING_DOWN -> POWERED_DOWN
> at 112s log: Node n5: settled, POWERING_DOWN -> POWERED_DOWN
> n[1,4],c[1-6] idle~
> n2 idle!
> n3 idle
> n5 drain~
at 251s submit -p c -N4 --runs 10s
> job 1
> at 251s log: Allocate JobId=1 NodeList=c[1-4] #CPUs=4 Partition=c
> at 251s log: POWER: c1 is switched on for JobId=1
> at 251s log: Node c1: resumed, POWERED_DOWN -> POWERING_UP
> at 251s log: POWER: ResumeRate lets no more nodes pass now, 3 wait
> at 251s resume c1 (job 1: c1)
at 300s admin c5 POWER_UP
> at 252s log: POWER: c2 is switched on for JobId=1
> at 252s log: Node c2: resumed, POWERED_DOWN -> POWERING_UP
> at 252s log: POWER: ResumeRate lets no more nodes pass now, 2 wait
> at 252s resume c2 (job 1: c2)
> at 253s log: POWER: c3 is switched on for JobId=1
> at 253s log: Node c3: resumed, POWERED_DOWN -> POWERING_UP
> at 253s log: POWER: ResumeRate lets no more nodes pass now, 1 wait
> at 253s resume c3 (job 1: c3)
> at 254s log: POWER: c4 is switched on for JobId=1
> at 254s log: Node c4: resumed, POWERED_DOWN -> POWERING_UP
> at 254s resume c4 (job 1: c4)
> at 271s log: Node c1: registered, POWERING_UP -> ON
> at 272s log: Node c2: registered, POWERING_UP -> ON
> at 273s log: Node c3: registered, POWERING_UP -> ON
> at 274s log: Node c4: registered, POWERING_UP -> ON
> at 274s log: Configuration for JobId=1 complete
> at 274s launch job 1 on c1
> at 284s job 1 COMPLETED
> at 284s terminate job 1 on c1
> at 300s log: POWER: c5 is switched on, asked for by uid 0
> at 300s log: Node c5: resumed, POWERED_DOWN -> POWERING_UP
> at 300s resume c5
at 301s submit -p d -w c6 --runs 5s
> job 2
> at 301s log: Allocate JobId=2 NodeList=c6 #CPUs=1 Partition=d
> at 301s log: POWER: c6 is switched on for JobId=2
> at 301s log: Node c6: resumed, POWERED_DOWN -> POWERING_UP
> at 301s resume c6 (job 2: c6)
at 360s outcome c5 suspend fatal 60s "fuse"
> at 320s log: Node c5: registered, POWERING_UP -> ON
> at 321s log: Node c6: registered, POWERING_UP -> ON
> at 321s log: Configuration for JobId=2 complete
> at 321s launch job 2 on c6
> at 326s job 2 COMPLETED
> at 326s terminate job 2 on c6
> at 326.001s log: POWER: c6 is switched off: PowerDownOnIdle
> at 326.001s log: Node c6: suspended, ON -> POWERING_DOWN
> at 326.001s suspend c6
> at 336.001s log: Node c6: settled, POWERING_DOWN -> POWERED_DOWN
> c5 is past that
at 400s admin c1 POWER_DOWN_FORCE
> at 384s log: POWER: c2 is switched off: idle for 100 s, SuspendTime is 100 s
> at 384s log: Node c2: suspended, ON -> POWERING_DOWN
> at 384s log: POWER: SuspendRate lets no more nodes pass now, 3 wait
> at 384s suspend c2
> at 385s log: POWER: c1 is switched off: idle for 100 s, SuspendTime is 100 s
> at 385s log: Node c1: suspended, ON -> POWERING_DOWN
> at 385s log: POWER: SuspendRate lets no more nodes pass now, 3 wait
> at 385s suspend c1
> at 386s log: POWER: c3 is switched off: idle for 102 s, SuspendTime is 100 s
> at 386s log: Node c3: suspended, ON -> POWERING_DOWN
> at 386s log: POWER: SuspendRate lets no more nodes pass now, 2 wait
> at 386s suspend c3
> at 387s log: POWER: c4 is switched off: idle for 103 s, SuspendTime is 100 s
> at 387s log: Node c4: suspended, ON -> POWERING_DOWN
> at 387s suspend c4
> at 394s log: Node c2: settled, POWERING_DOWN -> POWERED_DOWN
> at 395s log: Node c1: settled, POWERING_DOWN -> POWERED_DOWN
> at 396s log: Node c3: settled, POWERING_DOWN -> POWERED_DOWN
> at 397s log: Node c4: settled, POWERING_DOWN -> POWERED_DOWN
> at 400s log: POWER: c1 is switched off, asked for by uid 0 (force)
> at 400s log: Node c1: suspended, POWERED_DOWN -> POWERING_DOWN
> at 400s suspend c1
at 600s show nodes
> at 410s log: Node c1: settled, POWERING_DOWN -> POWERED_DOWN
> at 420s log: POWER: c5 is switched off: idle for 100 s, SuspendTime is 100 s
> at 420s log: Node c5: suspended, ON -> POWERING_DOWN
> at 420s suspend c5
> at 430s log: Node c5: settled, POWERING_DOWN -> POWERED_DOWN
> n[1,4],c[1-6] idle~
> n2 idle!
> n3 idle
> n5 drain~
