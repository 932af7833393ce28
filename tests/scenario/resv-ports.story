--resv-ports, MpiParams=ports=: steps that share a node have ports of their own; a range that is used up, what sets ports free, a restart.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiParams=ports=12000-12004
KillWait=1
SlurmdTimeout=20
ReturnToService=1
NodeName=n[1-3] CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
A step without a number has one more than it has tasks on a node. Ports are the same on all of its nodes.
at 1s submit -w n[1-2] -N2 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit -w n[2-3] -N2 --runs 100s
> job 2
> at 1s launch job 2 on n2
at 2s step 1 ports
at 2s step 2 ports=2
at 2s step 1
at 2s show ports 1
> step 1.0 has ports 12000-12001
> step 1.1 has no ports
at 2s show ports 2
> step 2.0 has ports 12002-12003
Both have n2, so one port is left there; n3 has more.
at 3s submit -w n3 --runs 100s
> job 3
> at 3s launch job 3 on n3
at 4s step 2 ports=2
> refused: Required ports are in use
at 4s step 3 ports=3
at 4s show ports 3
> step 3.0 has ports 12000-12001,12004
More than there are is refused for ever, not for now.
at 4s step 3 ports=6
> refused: Requires more ports than can be reserved
A step's ports are free on a node where it has ended, and taken on the others; the search goes on behind the last that were given.
at 5s step-ends 1 0 n2
at 5s step 2 ports=3
> refused: Required ports are in use
at 5s show ports 2
> step 2.0 has ports 12002-12003
at 5s step 1 ports=2
> refused: Required ports are in use
at 6s step-ends 1 0 n1
at 6s step-ends 2 0 n[2-3]
at 6s step 1 ports=2
at 6s show ports 1
> step 1.0 has ports 12000-12001
> step 1.1 has no ports
> step 1.2 has ports 12002-12003
The next controller knows them.
at 8s kill
at 12s step 2 ports=1
> refused: Required ports are in use
at 12s step 1 ports=1
at 12s show ports 1
> step 1.0 has ports 12000-12001
> step 1.1 has no ports
> step 1.2 has ports 12002-12003
> step 1.3 has ports 12000
at 12s show ports 2
> step 2.0 has ports 12002-12003
So does one with another range: steps keep what is outside of it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiParams=ports=12003-12009
KillWait=1
SlurmdTimeout=20
ReturnToService=1
NodeName=n[1-3] CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 13s step 3 ports=5
at 13s show ports 3
> step 3.0 has ports 12000-12001,12004
> step 3.1 has ports 12003,12005-12008
The end of a job sets its ports free.
at 14s step 2 ports=2
> refused: Required ports are in use
at 15s cancel 3
> at 15s job 3 CANCELLED
> at 15s terminate job 3 on n3
at 20s step 2 ports=2
at 20s show ports 2
> step 2.0 has ports 12002-12003
> step 2.1 has ports 12004,12009
