A job keeps its place at the planned time although the search for a new one allows for the longest boot of all nodes: that of z,
where job 2 only needs n2's.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=1000
SuspendRate=0
ResumeRate=0
NodeName=n1 CPUs=1
NodeName=n2 CPUs=1 State=CLOUD
NodeName=z CPUs=1 State=CLOUD
PartitionName=p Nodes=n[1-2] Default=YES MaxTime=100 ResumeTimeout=60
PartitionName=slow Nodes=z ResumeTimeout=300
end
at 0s hush agents
> at 0s n1 registers
at 101s submit -w n1 -t 1000s
> job 1
> at 101s launch job 1 on n1
at 102s submit -N2 -t 100s --runs 10s
> job 2
at 103s submit -N2 -t 200s --runs 10s
> job 3
at 104s show plan
> 2 at 1161s on n[1-2] until 1261s
> 3 at 1321s on n[1-2] until 1521s
at 150s cancel 1
> at 150s job 1 CANCELLED
> at 150s terminate job 1 on n1
at 151s show plan
> 2 at 240s on n[1-2] until 340s
> 3 at 400s on n[1-2] until 600s
at 181s show plan
> at 180s resume n2 (job 2: n2)
> 3 at 340s on n[1-2] until 540s
at 220s show jobs
> at 200s launch job 2 on n1
> at 210s job 2 COMPLETED
> at 210s terminate job 2 on n1
> at 210.001s launch job 3 on n1
>  3 p      R   0:09 2 n[1-2]
