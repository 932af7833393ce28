MaxMemPerCPU, and a job that says nothing of memory: where DefMemPerNode is more than that, it has so many CPUs more, also where it was submitted to another partition first, or before that was so.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
NodeName=n[1-2] CPUs=4 RealMemory=4000
PartitionName=a Nodes=n1 Default=YES DefMemPerNode=500
PartitionName=b Nodes=n2 DefMemPerNode=2000 MaxMemPerCPU=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N1 -p a --exclusive --runs 10000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -p a,b -n1 --runs 10s
> job 2
> at 2s launch job 2 on n2
at 3s show job 2
> job 2 RUNNING Reason=None Priority=4294901758 Restarts=0 RunTime=00:00:01 Nodes=n2 CPUs=2 Exit=0:0
at 50s submit -N1 -p b --exclusive --runs 100s
> at 12s job 2 COMPLETED
> at 12s terminate job 2 on n2
> job 3
> at 50s launch job 3 on n2
at 51s submit -p b -n1 --runs 10s
> job 4
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
NodeName=n[1-2] CPUs=4 RealMemory=4000
PartitionName=a Nodes=n1 Default=YES DefMemPerNode=500
PartitionName=b Nodes=n2 DefMemPerNode=3000 MaxMemPerCPU=1000
end
at 151s show jobs
> at 150s job 3 COMPLETED
> at 150s terminate job 3 on n2
> at 150.001s launch job 4 on n2
>  1 a      R   2:30 1 n1
>  4 b      R   0:00 1 n2
at 152s show job 4
> job 4 RUNNING Reason=None Priority=4294901756 Restarts=0 RunTime=00:00:01 Nodes=n2 CPUs=3 Exit=0:0
