CoreSpecCount and MemSpecLimit change by a reconfigure also on a node with jobs, which keep what they have.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n1 CPUs=4 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n4 --mem-per-node 500 --runs 50s
> job 1
> at 1s launch job 1 on n1
at 1s submit -n1 --mem-per-node 100 --runs 50s
> job 2
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n1 CPUs=4 RealMemory=1000 CoreSpecCount=1 MemSpecLimit=400
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
end
at 2s show cores 1
> job 1: 4 CPUs: n1 0-3
at 3s submit -n4
> refused: Requested node configuration is not available
at 3s submit -n1 --mem-per-node 700
> refused: Requested node configuration is not available (Memory specification can not be satisfied)
at 4s submit -n3 --mem-per-node 400 --runs 20s
> job 3
at 4s show jobs
>  1 main   R   0:03 1 n1
>  2 main   PD  0:00 1 (Resources)
>  3 main   PD  0:00 1 (Priority)
at 60s show jobs
> at 51s job 1 COMPLETED
> at 51s terminate job 1 on n1
> at 51.001s launch job 2 on n1
>  2 main   R   0:08 1 n1
>  3 main   PD  0:00 1 (Resources)
at 60s show cores 3
> job 3 has none
at 70s show cores 2
> job 2: 1 CPUs: n1 0
at 71s tell log
Other CPUs wait for the end of the jobs, and so does what is kept of them; the log says so.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n1 CPUs=8 RealMemory=1000 CoreSpecCount=2
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
end
> at 71s log: Node n1 has jobs: CPUs, CoreSpecCount, CpuSpecList and MemSpecLimit change by a reconfigure after their end
at 72s submit -n4
> refused: Requested node configuration is not available
at 200s show nodes
> at 101.001s job 2 COMPLETED
> at 101.001s terminate job 2 on n1
> at 101.002s log: Allocate JobId=3 NodeList=n1 #CPUs=3 Partition=main
> at 101.002s launch job 3 on n1
> at 121.002s job 3 COMPLETED
> at 121.002s terminate job 3 on n1
> n1 idle
