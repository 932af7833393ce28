How tasks are dealt to nodes: what the first one takes anyway holds more, and nodes that are liked more have more.
conf
SelectTypeParameters=CR_Core
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000
NodeName=n[5-6] Sockets=1 CoresPerSocket=4 RealMemory=1000 Weight=5 Feature=f
NodeName=n[7-8] Sockets=1 CoresPerSocket=4 RealMemory=1000 Weight=3 Feature=f
PartitionName=p Nodes=ALL Default=YES
PartitionName=sockets Nodes=ALL SelectTypeParameters=CR_Socket
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
Each of four nodes has a core of two threads: 21 of 24 tasks need no core more than 18.
at 0s submit -N4 -n24
> job 1
> at 0s launch job 1 on n1
at 0s show cores 1
> job 1: 24 CPUs: n1 0-7; n2 0,4; n3 0; n4 0
at 1s cancel 1
> at 1s job 1 CANCELLED
> at 1s terminate job 1 on n1
at 10s submit -N4 -n5
> job 2
> at 10s launch job 2 on n1
at 10s show cores 2
> job 2: 8 CPUs: n1 0; n2 0; n3 0; n4 0
at 11s cancel 2
> at 11s job 2 CANCELLED
> at 11s terminate job 2 on n1
Of sockets likewise.
at 20s submit -p sockets -N4 -n24
> job 3
> at 20s launch job 3 on n1
at 20s show cores 3
> job 3: 32 CPUs: n1 0-3; n2 0-3; n3 0-3; n4 0-3
at 21s cancel 3
> at 21s job 3 CANCELLED
> at 21s terminate job 3 on n1
Light nodes are filled before heavy ones.
at 30s submit -C f -n9
> job 4
> at 30s launch job 4 on n5
at 30s show cores 4
> job 4: 9 CPUs: n5 0; n7 0-3; n8 0-3
at 31s cancel 4
> at 31s job 4 CANCELLED
> at 31s terminate job 4 on n5
