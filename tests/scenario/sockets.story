Sockets, cores and threads: which of a node's CPUs a job gets, and how many tasks they hold.
conf
SelectTypeParameters=CR_Core
NodeName=n1 Sockets=2 CoresPerSocket=4 RealMemory=1000
NodeName=n2 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000
NodeName=n3 CPUs=4 RealMemory=1000
PartitionName=p Nodes=ALL Default=YES
PartitionName=sockets Nodes=ALL SelectTypeParameters=CR_Socket
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
Cores of each socket in turn; with block those of one, as long as it has enough.
at 0s submit -w n1 -n2
> job 1
> at 0s launch job 1 on n1
at 0s show cores 1
> job 1: 2 CPUs: n1 0,4
at 0s submit -w n1 -n3 --sockets-block
> job 2
> at 0s launch job 2 on n1
at 0s show cores 2
> job 2: 3 CPUs: n1 1-3
at 0s submit -w n1 -n1
> job 3
> at 0s launch job 3 on n1
at 0s show cores 3
> job 3: 1 CPUs: n1 5
at 0s submit -w n1 -n2
> job 4
> at 0s launch job 4 on n1
at 0s show cores 4
> job 4: 2 CPUs: n1 6-7
at 0s show jobs
>  1 p      R   0:00 1 n1
>  2 p      R   0:00 1 n1
>  3 p      R   0:00 1 n1
>  4 p      R   0:00 1 n1
at 1s cancel 1
> at 1s job 1 CANCELLED
> at 1s terminate job 1 on n1
at 1s cancel 2
> at 1s job 2 CANCELLED
> at 1s terminate job 2 on n1
at 1s cancel 3
> at 1s job 3 CANCELLED
> at 1s terminate job 3 on n1
at 1s cancel 4
> at 1s job 4 CANCELLED
> at 1s terminate job 4 on n1
Not more than so many on a socket, and sockets with so many free cores.
at 10s submit -n3 --ntasks-per-socket 1 -x n3
> job 5
> at 10s launch job 5 on n1
at 10s show job 5
> job 5 RUNNING Reason=None Priority=4294901755 Restarts=0 RunTime=00:00:00 Nodes=n[1-2] CPUs=4 Exit=0:0
at 10s show cores 5
> job 5: 4 CPUs: n1 0,4; n2 0
at 11s submit -w n1 -n6 --ntasks-per-socket 2
> job 6
> at 11s launch job 6 on n1
at 11s submit -n1 --cores-per-socket 4 --sockets-per-node 2 -x n2
> job 7
at 11s show jobs
>  5 p      R   0:01 2 n[1-2]
>  6 p      R   0:00 2 n[1-2]
>  7 p      PD  0:00 1 (Resources)
at 12s cancel 5
> at 12s job 5 CANCELLED
> at 12s terminate job 5 on n1
at 13s show jobs
>  6 p      R   0:02 2 n[1-2]
>  7 p      PD  0:00 1 (Resources)
at 13s cancel 6
> at 13s job 6 CANCELLED
> at 13s terminate job 6 on n1
at 13s cancel 7
> at 13s job 7 CANCELLED
Threads: both by default, one when asked so.
at 20s submit -w n2 -n4
> job 8
> at 20s launch job 8 on n2
at 20s show job 8
> job 8 RUNNING Reason=None Priority=4294901752 Restarts=0 RunTime=00:00:00 Nodes=n2 CPUs=4 Exit=0:0
at 21s submit -w n2 -n2 --threads-per-core 1
> job 9
> at 21s launch job 9 on n2
at 21s show job 9
> job 9 RUNNING Reason=None Priority=4294901751 Restarts=0 RunTime=00:00:00 Nodes=n2 CPUs=4 Exit=0:0
at 21s submit -w n2 -n2 --ntasks-per-core 1
> job 10
> at 21s launch job 10 on n2
at 21s show job 10
> job 10 RUNNING Reason=None Priority=4294901750 Restarts=0 RunTime=00:00:00 Nodes=n2 CPUs=4 Exit=0:0
at 21s submit -w n2 -n5 --threads-per-core 1
> job 11
> at 21s launch job 11 on n1
at 22s cancel 8
> at 22s job 8 CANCELLED
> at 22s terminate job 8 on n2
at 22s cancel 9
> at 22s job 9 CANCELLED
> at 22s terminate job 9 on n2
at 22s cancel 10
> at 22s job 10 CANCELLED
> at 22s terminate job 10 on n2
at 23s submit -N1 -n9 --threads-per-core 1
> refused: Requested node configuration is not available
at 24s submit --threads-per-core 2
> job 12
> at 24s launch job 12 on n2
at 24s show job 12
> job 12 RUNNING Reason=None Priority=4294901748 Restarts=0 RunTime=00:00:00 Nodes=n2 CPUs=2 Exit=0:0
at 24s submit -n4 --one-core-per-socket -w n1
> job 13
> at 24s launch job 13 on n1
at 24s submit -n2 --one-core-per-socket -w n1
> job 14
> at 24s launch job 14 on n1
at 24s show cores 13
> job 13: 4 CPUs: n1 2,6; n2 1
at 25s cancel 11
> at 25s job 11 CANCELLED
> at 25s terminate job 11 on n1
at 25s cancel 12
> at 25s job 12 CANCELLED
> at 25s terminate job 12 on n2
at 25s cancel 13
> at 25s job 13 CANCELLED
> at 25s terminate job 13 on n1
Whole sockets, also where the cluster counts cores.
at 30s submit -w n1 -n2
> job 15
> at 30s launch job 15 on n1
at 30s submit -p sockets -w n1 -n1
> job 16
at 30s show jobs
> 14 p      R   0:06 1 n1
> 15 p      R   0:00 1 n1
> 16 sockets PD  0:00 1 (Resources)
at 31s cancel 14
> at 31s job 14 CANCELLED
> at 31s terminate job 14 on n1
at 32s show job 15
> job 15 RUNNING Reason=None Priority=4294901745 Restarts=0 RunTime=00:00:02 Nodes=n1 CPUs=2 Exit=0:0
at 32s submit -p sockets -w n2 -n5
> job 17
> at 32s launch job 17 on n2
at 32s show job 16
> job 16 PENDING Reason=Resources Priority=4294901744 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 32s submit -p sockets -n5 -x n3
> job 18
> at 32s launch job 18 on n2
at 33s show jobs
> 15 p      R   0:03 1 n1
> 16 sockets PD  0:00 1 (Resources)
> 17 sockets R   0:01 1 n2
> 18 sockets R   0:01 1 n2
at 34s cancel 15
> at 34s job 15 CANCELLED
> at 34s terminate job 15 on n1
at 35s show jobs
> at 34.001s launch job 16 on n1
> 16 sockets R   0:00 1 n1
> 17 sockets R   0:03 1 n2
> 18 sockets R   0:03 1 n2
