What befalls many nodes alike is a few lines of the log; what befalls a few has a line for each node, at once.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=600
SuspendRate=0
ResumeRate=600
NodeName=c[1-300] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
at 0s hush disconnect
at 0s tell log
at 30s admin c[1-2] POWER_UP
> at 30s log: Node c1: resumed, POWERED_DOWN -> POWERING_UP
> at 30s log: Node c2: resumed, POWERED_DOWN -> POWERING_UP
> at 30s resume c[1-2]
at 60s admin c[3-300] POWER_UP
> at 50s log: Node c1: registered, POWERING_UP -> ON
> at 50s log: Node c2: registered, POWERING_UP -> ON
> at 60s log: Nodes c[3-102]: resumed, POWERED_DOWN -> POWERING_UP
> at 60s resume c[3-102]
at 300s show nodes
> at 61s resume c[103-112]
> at 62s log: Nodes c[103-122]: resumed, POWERED_DOWN -> POWERING_UP
> at 62s resume c[113-122]
> at 63s resume c[123-132]
> at 64s log: Nodes c[123-142]: resumed, POWERED_DOWN -> POWERING_UP
> at 64s resume c[133-142]
> at 65s resume c[143-152]
> at 66s resume c[153-162]
> at 67s resume c[163-172]
> at 68s log: Nodes c[143-182]: resumed, POWERED_DOWN -> POWERING_UP
> at 68s resume c[173-182]
> at 69s resume c[183-192]
> at 70s resume c[193-202]
> at 71s resume c[203-212]
> at 72s resume c[213-222]
> at 73s resume c[223-232]
> at 74s resume c[233-242]
> at 75s resume c[243-252]
> at 76s log: Nodes c[183-262]: resumed, POWERED_DOWN -> POWERING_UP
> at 76s resume c[253-262]
> at 77s resume c[263-272]
> at 78s resume c[273-282]
> at 79s resume c[283-292]
> at 79.8s resume c[293-300]
> at 80s log: Node c3: registered, POWERING_UP -> ON
> at 80s log: Node c4: registered, POWERING_UP -> ON
> at 80s log: Node c5: registered, POWERING_UP -> ON
> at 80s log: Node c6: registered, POWERING_UP -> ON
> at 81s log: Nodes c[7-103]: registered, POWERING_UP -> ON
> at 83s log: Nodes c[104-123]: registered, POWERING_UP -> ON
> at 87s log: Nodes c[124-163]: registered, POWERING_UP -> ON
> at 92s log: Nodes c[263-300]: resumed, POWERED_DOWN -> POWERING_UP
> at 95s log: Nodes c[164-243]: registered, POWERING_UP -> ON
> at 111s log: Nodes c[244-300]: registered, POWERING_UP -> ON
> at 150s log: Node c1: suspended, ON -> POWERING_DOWN
> at 150s log: Node c2: suspended, ON -> POWERING_DOWN
> at 150s suspend c[1-2]
> at 160s log: Node c1: settled, POWERING_DOWN -> POWERED_DOWN
> at 160s log: Node c2: settled, POWERING_DOWN -> POWERED_DOWN
> at 180s log: Nodes c[3-102]: suspended, ON -> POWERING_DOWN
> at 180s suspend c[3-102]
> at 181s suspend c[103-112]
> at 182s log: Nodes c[103-122]: suspended, ON -> POWERING_DOWN
> at 182s suspend c[113-122]
> at 183s suspend c[123-132]
> at 184s log: Nodes c[123-142]: suspended, ON -> POWERING_DOWN
> at 184s suspend c[133-142]
> at 185s suspend c[143-152]
> at 186s suspend c[153-162]
> at 187s suspend c[163-172]
> at 188s log: Nodes c[143-182]: suspended, ON -> POWERING_DOWN
> at 188s suspend c[173-182]
> at 189s suspend c[183-192]
> at 190s log: Nodes c[3-102]: settled, POWERING_DOWN -> POWERED_DOWN
> at 190s suspend c[193-202]
> at 191s suspend c[203-212]
> at 192s log: Nodes c[103-122]: settled, POWERING_DOWN -> POWERED_DOWN
> at 192s suspend c[213-222]
> at 193s suspend c[223-232]
> at 194s log: Nodes c[123-142]: settled, POWERING_DOWN -> POWERED_DOWN
> at 194s suspend c[233-242]
> at 195s suspend c[243-252]
> at 196s log: Nodes c[183-262]: suspended, ON -> POWERING_DOWN
> at 196s suspend c[253-262]
> at 197s suspend c[263-272]
> at 198s log: Nodes c[143-182]: settled, POWERING_DOWN -> POWERED_DOWN
> at 198s suspend c[273-282]
> at 199s suspend c[283-292]
> at 199.8s suspend c[293-300]
> at 206s log: Nodes c[183-262]: settled, POWERING_DOWN -> POWERED_DOWN
> at 207s log: Nodes c[263-300]: suspended, ON -> POWERING_DOWN
> at 222s log: Nodes c[263-300]: settled, POWERING_DOWN -> POWERED_DOWN
> c[1-300] idle~
DebugFlags=Power: each for itself.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=600
SuspendRate=0
ResumeRate=0
DebugFlags=Power
NodeName=c[1-300] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 400s admin c[5-10] POWER_UP
> at 400s log: POWER: c5 is switched on, asked for by uid 0
> at 400s log: Node c5: resumed, POWERED_DOWN -> POWERING_UP
> at 400s log: POWER: c6 is switched on, asked for by uid 0
> at 400s log: Node c6: resumed, POWERED_DOWN -> POWERING_UP
> at 400s log: POWER: c7 is switched on, asked for by uid 0
> at 400s log: Node c7: resumed, POWERED_DOWN -> POWERING_UP
> at 400s log: POWER: c8 is switched on, asked for by uid 0
> at 400s log: Node c8: resumed, POWERED_DOWN -> POWERING_UP
> at 400s log: POWER: c9 is switched on, asked for by uid 0
> at 400s log: Node c9: resumed, POWERED_DOWN -> POWERING_UP
> at 400s log: POWER: c10 is switched on, asked for by uid 0
> at 400s log: Node c10: resumed, POWERED_DOWN -> POWERING_UP
> at 400s resume c[5-10]
at 400.5s show nodes
> c[1-4,11-300] idle~
> c[5-10] idle#
