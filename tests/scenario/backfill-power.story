A node that is off costs its boot in the plan: what must boot is chosen only where it starts earlier all the same.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=1000
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
at 1s submit -N2 -t 100s --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N4 -t 100s --runs 100s
> job 2
at 3s submit -N2 -t 20s --runs 20s
> job 3
> at 3s resume c[1-2] (job 3: c[1-2])
at 4s show plan
> 2 at 101s on n[1-2],c[1-2] until 201s
at 5s show jobs
>  1 p      R   0:04 2 n[1-2]
>  2 p      PD  0:00 4 (Resources)
>  3 p      CF  0:00 2 c[1-2]
at 400s show jobs
> at 23s launch job 3 on c1
> at 43s job 3 COMPLETED
> at 43s terminate job 3 on c1
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101.001s launch job 2 on n1
> at 201.001s job 2 COMPLETED
> at 201.001s terminate job 2 on n1
