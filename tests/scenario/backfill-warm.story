warm_up: nodes are switched on so that they are up when the planned start comes, and are not put to sleep before it.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=10
SuspendTimeout=5
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=1
NodeName=c[1-2] CPUs=1 State=CLOUD
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s warm-up
at 1s submit -N2 -t 100s --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N4 -t 100s --runs 100s
> job 2
at 4s show plan
> 2 at 101s on n[1-2],c[1-2] until 201s
at 60s show nodes
> at 41s resume c[1-2]
> n[1-2] alloc
> c[1-2] idle#
at 60s show why c1
> c1 power-command since 41s until 101s: a planned job or reservation needs it soon (warm_up)
at 300s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101.001s launch job 2 on n1
> at 201.001s job 2 COMPLETED
> at 201.001s terminate job 2 on n1
> at 211.001s suspend n2,c[1-2]
> at 211.002s suspend n1
> at 216.001s disconnect c1
> at 216.001s disconnect c2
at 400s show nodes
> n[1-2],c[1-2] idle~
The next time they are known to boot in 20 s.
at 500s submit -N2 -w n[1-2] -t 100s --runs 100s
> job 3
> at 500s resume n[1-2] (job 3: n[1-2])
at 502s submit -N4 -t 100s --runs 100s
> job 4
at 520s show plan
> at 520s launch job 3 on n1
> 4 at 620s on n[1-2],c[1-2] until 720s
at 1000s show jobs
> at 600s resume c[1-2]
> at 620s job 3 COMPLETED
> at 620s terminate job 3 on n1
> at 620.001s launch job 4 on n1
> at 720.001s job 4 COMPLETED
> at 720.001s terminate job 4 on n1
> at 730.001s suspend n2,c[1-2]
> at 730.002s suspend n1
> at 735.001s disconnect c2
> at 735.001s disconnect c1
