A free node that a preemptor has claimed, beside those of its victims, is not put to sleep while it waits for them.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=5
SuspendTimeout=5
ResumeTimeout=20
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-2] CPUs=2
PartitionName=low Nodes=n[1-2] Default=YES MaxTime=INFINITE PriorityTier=1 PreemptMode=CANCEL GraceTime=20
PartitionName=high Nodes=n[1-2] MaxTime=INFINITE PriorityTier=2
end
at 0s delay boot 3s
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -p low -w n1 --exclusive --runs 500s
> job 1
> at 1s launch job 1 on n1
at 3s submit -p high -N2 --exclusive --runs 10s
> job 2
> at 3s signal job 1 on n1
> at 3s signal job 1 on n1
at 20s show why n2
> n2 registered since 0s until -: kept for JobId=2, which waits for those that it preempts
at 60s show nodes
> at 23s job 1 PREEMPTED
> at 23s terminate job 1 on n1
> at 23.001s launch job 2 on n1
> at 33.001s job 2 COMPLETED
> at 33.001s terminate job 2 on n1
> at 38.001s suspend n2
> at 38.002s suspend n1
> at 43.001s n2 is lost
> at 43.002s n1 is lost
> n[1-2] idle~
