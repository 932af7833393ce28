A cluster that sleeps (power-saving guide; semantics "state model"): wanted nodes are woken and only those, idle
ones are put to sleep after SuspendTime, and settle for SuspendTimeout.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=300
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s show nodes
> n[1-4] idle~
at 0s show node n1
> n1 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
Two jobs on two nodes: one run of the program.
at 1s submit -N1 -n1 --exclusive --runs 30s
> job 1
> at 1s resume n1 (job 1: n1)
at 1s submit -N1 -n1 --exclusive --runs 60s
> job 2
> at 1s resume n2 (job 2: n2)
at 2s show nodes
> n[1-2] alloc#
> n[3-4] idle~
at 2s show node n1
> n1 ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP (alloc#, allocated#)
at 2s show jobs
>  1 p      CF  0:00 1 n1
>  2 p      CF  0:00 1 n2
at 30s show jobs
> at 21s n1 registers
> at 21s launch job 1 on n1
> at 21s n2 registers
> at 21s launch job 2 on n2
>  1 p      R   0:09 1 n1
>  2 p      R   0:09 1 n2
at 30s show nodes
> n[1-2] alloc
> n[3-4] idle~
The limit begins when the node is up.
at 60s show nodes
> at 51s job 1 COMPLETED
> at 51s terminate job 1 on n1
> n1 idle
> n2 alloc
> n[3-4] idle~
at 355s show nodes
> at 81s job 2 COMPLETED
> at 81s terminate job 2 on n2
> at 351.001s suspend n1
> n1 idle%
> n2 idle
> n[3-4] idle~
at 360s show nodes
> at 356.001s n1 is lost
> n1 idle%
> n2 idle
> n[3-4] idle~
at 360s show node n1
> n1 IDLE+CLOUD+POWERING_DOWN (idle%, idle%)
at 382s show nodes
> at 381.001s suspend n2
> n[1,3-4] idle~
> n2 idle%
A job that comes while its node settles takes another that sleeps; when all settle, it waits.
at 385s submit -N3 --runs 10s
> job 3
> at 385s resume n[1,3-4] (job 3: n[1,3-4])
at 386s show jobs
>  3 p      CF  0:00 3 n[1,3-4]
at 412s show nodes
> at 386.001s n2 is lost
> at 405s n1 registers
> at 405s n3 registers
> at 405s n4 registers
> at 405s launch job 3 on n1
> n[1,3-4] mix
> n2 idle~
at 430s show jobs
> at 415s job 3 COMPLETED
> at 415s terminate job 3 on n1
at 1000s show nodes
> at 715s suspend n[3-4]
> at 715.001s suspend n1
> at 720s n3 is lost
> at 720s n4 is lost
> at 720.001s n1 is lost
> n[1-4] idle~
