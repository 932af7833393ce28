How many nodes and CPUs: ranges take what is there without waiting, tasks per node are charged whole, MaxMemPer... hold.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=1000
SuspendRate=0
ResumeRate=0
NodeName=n[1-4] CPUs=4 RealMemory=1000
NodeName=n[5-6] CPUs=4 RealMemory=1000 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
PartitionName=percpu Nodes=ALL MaxMemPerCPU=100
PartitionName=pernode Nodes=ALL MaxMemPerNode=500
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
A range takes as many as are up, as many as there are tasks for; the sleeping stay so.
at 1s submit -N2-6 --mem 10
> job 1
> at 1s launch job 1 on n1
at 1s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:00 Nodes=n[1-4] CPUs=4 Exit=0:0
at 1s cancel 1
> at 1s job 1 CANCELLED
> at 1s terminate job 1 on n1
at 2s submit -N2-4 -n5 --mem 10
> job 2
> at 2s launch job 2 on n1
at 2s show job 2
> job 2 RUNNING Reason=None Priority=4294901758 Restarts=0 RunTime=00:00:00 Nodes=n[1-4] CPUs=5 Exit=0:0
at 2s cancel 2
> at 2s job 2 CANCELLED
> at 2s terminate job 2 on n1
at 3s submit -N1-3 -n2 --mem 10
> job 3
> at 3s launch job 3 on n1
at 3s show job 3
> job 3 RUNNING Reason=None Priority=4294901757 Restarts=0 RunTime=00:00:00 Nodes=n[1-2] CPUs=2 Exit=0:0
at 3s cancel 3
> at 3s job 3 CANCELLED
> at 3s terminate job 3 on n1
at 4s submit -w n2,n3 -N2-4 --mem 10
> job 4
> at 4s launch job 4 on n1
at 4s show job 4
> job 4 RUNNING Reason=None Priority=4294901756 Restarts=0 RunTime=00:00:00 Nodes=n[1-4] CPUs=4 Exit=0:0
at 4s cancel 4
> at 4s job 4 CANCELLED
> at 4s terminate job 4 on n1
A job that needs a sleeping one anyway has the others of its kind too.
at 5s submit -N5-6 --mem 10
> job 5
> at 5s resume n[5-6] (job 5: n[5-6])
at 5s cancel 5
> at 5s job 5 CANCELLED
A node has all of its tasks per node.
at 6s submit -n10 --ntasks-per-node 4 --mem 10
> job 6
> at 6s launch job 6 on n1
at 6s show job 6
> job 6 RUNNING Reason=None Priority=4294901754 Restarts=0 RunTime=00:00:00 Nodes=n[1-3] CPUs=12 Exit=0:0
at 6s cancel 6
> at 6s job 6 CANCELLED
> at 6s terminate job 6 on n1
More memory for a CPU than there may be takes more CPUs.
at 7s submit -p percpu --mem-per-cpu 200
> job 7
> at 7s launch job 7 on n1
at 7s show job 7
> job 7 RUNNING Reason=None Priority=4294901753 Restarts=0 RunTime=00:00:00 Nodes=n1 CPUs=2 Exit=0:0
at 7s cancel 7
> at 7s job 7 CANCELLED
> at 7s terminate job 7 on n1
at 8s submit -p percpu --mem 250 -n1
> job 8
> at 8s launch job 8 on n1
at 8s show job 8
> job 8 RUNNING Reason=None Priority=4294901752 Restarts=0 RunTime=00:00:00 Nodes=n1 CPUs=3 Exit=0:0
at 8s cancel 8
> at 8s job 8 CANCELLED
> at 8s terminate job 8 on n1
at 9s submit -p percpu --mem 500 -n1
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
MaxMemPerNode: by CPU, by node, and for a job that asks for all.
at 10s submit -p pernode --mem 501
> job 9
at 10s submit -p pernode
> job 10
at 10s submit -p pernode --mem-per-cpu 200 -c4
> job 11
at 10s submit -p pernode --mem-per-cpu 200 -n4
> job 12
> at 10s launch job 12 on n1
at 10s show jobs
>  9 pernode PD  0:00 1 (MaxMemPerLimit)
> 10 pernode PD  0:00 1 (MaxMemPerLimit)
> 11 pernode PD  0:00 1 (MaxMemPerLimit)
> 12 pernode R   0:00 2 n[1-2]
