A job that waits for several partitions keeps nodes in each; in the next one it may have what it has kept in the one before:
nodes that are up come before those that sleep, also where they belong to both.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendExcNodes=tux[1-3]
NodeName=tux[1-3] CPUs=2 RealMemory=1000 Weight=1
NodeName=ec[1-4] CPUs=2 RealMemory=1000 Weight=8 State=CLOUD
PartitionName=debug Nodes=tux[1-3] Default=YES
PartitionName=batch Nodes=tux[1-3],ec[1-4]
end
at 0s hush agents
> at 0s tux1 registers
> at 0s tux2 registers
> at 0s tux3 registers
at 0s hush terminate
at 1s submit -p debug -N1 -w tux3 --exclusive --runs 300s
> job 1
> at 1s launch job 1 on tux3
at 2s submit -p debug,batch -N3 --exclusive --runs 50s
> job 2
> at 2s resume ec1 (job 2: ec1)
at 3s show jobs
>  1 debug  R   0:02 1 tux3
>  2 batch  CF  0:00 3 tux[1-2],ec1
at 100s show nodes
> at 22s launch job 2 on tux1
> at 72s job 2 COMPLETED
> tux[1-2],ec1 idle
> tux3 alloc
> ec[2-4] idle~
What another job has kept there stays its.
at 101s submit -p debug -N3 --exclusive --runs 50s
> job 3
at 102s submit -p debug,batch -N3 --exclusive --runs 50s
> job 4
> at 102s resume ec[2-3] (job 4: ec[2-3])
at 103s show jobs
>  1 debug  R   1:42 1 tux3
>  3 debug  PD  0:00 3 (Resources)
>  4 batch  CF  0:00 3 ec[1-3]
at 400s show jobs
> at 122s launch job 4 on ec1
> at 172s job 4 COMPLETED
> at 301s job 1 COMPLETED
> at 301.001s launch job 3 on tux1
> at 351.001s job 3 COMPLETED
