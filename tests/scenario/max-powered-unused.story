max_powered_nodes and nodes that were never used: one that is DOWN keeps its power for good, and one that is FUTURE has none.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=max_powered_nodes=2
NodeName=s1 CPUs=2 State=DOWN
NodeName=s2 CPUs=2 State=FUTURE
NodeName=c[1-3] CPUs=2 State=CLOUD
PartitionName=all Nodes=s1,c[1-3] Default=YES
PartitionName=cloud Nodes=c[1-3]
end
at 0s hush agents
> at 0s s1 registers
at 1s submit -p cloud -N2 --exclusive --runs 50s
> job 1
at 2s submit -p cloud -N1 --exclusive --runs 50s
> job 2
> at 2s resume c1 (job 2: c1)
at 3s show jobs
>  1 cloud  PD  0:00 2 (MaxPoweredUpNodes)
>  2 cloud  CF  0:00 1 c1
at 10s show plan
> 1 is not planned
at 60s submit -p cloud -N1 --exclusive --runs 50s
> at 22s launch job 2 on c1
> job 3
at 2000s show jobs
> at 72s job 2 COMPLETED
> at 72s terminate job 2 on c1
> at 72.001s launch job 3 on c1
> at 122.001s job 3 COMPLETED
> at 122.001s terminate job 3 on c1
> at 222.002s suspend c1
>  1 cloud  PD  0:00 2 (MaxPoweredUpNodes)
at 2000s show nodes
> s1 down
> s2 futr
> c[1-3] idle~
