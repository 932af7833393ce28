CR_CPU: a job is charged the CPUs that it asks for, but where cores have threads no two jobs share one.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
NodeName=t1 CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000
NodeName=c[1-2] CPUs=4 RealMemory=1000
PartitionName=DEFAULT DefMemPerCPU=100
PartitionName=threads Nodes=t1 Default=YES
PartitionName=cpus Nodes=c[1-2]
end
at 0s hush agents
> at 0s t1 registers
> at 0s c1 registers
> at 0s c2 registers
at 1s submit -n3
> job 1
> at 1s launch job 1 on t1
at 1s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:00 Nodes=t1 CPUs=3 Exit=0:0
at 1s submit -n4
> job 2
> at 1s launch job 2 on t1
at 1s show job 2
> job 2 RUNNING Reason=None Priority=4294901758 Restarts=0 RunTime=00:00:00 Nodes=t1 CPUs=4 Exit=0:0
at 1s submit -n1
> job 3
at 1s show job 3
> job 3 PENDING Reason=Resources Priority=4294901757 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 1s show nodes
> t1 alloc
> c[1-2] idle
at 2s submit -p cpus -n1
> job 4
> at 2s launch job 4 on c1
at 2s submit -p cpus -n3
> job 5
> at 2s launch job 5 on c1
at 2s show nodes
> t1,c1 alloc
> c2 idle
