Without SuspendTime no node is switched by itself; by hand it is, and jobs do not wake it.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1000s show nodes
> n[1-3] idle
at 1000s admin n[1-2] POWER_DOWN
> at 1000s suspend n[1-2]
at 1001s show why n1
> n1 power-command since 1000s until 1010s: as asked for by hand (uid 0)
at 1020s show nodes
> n[1-2] idle~
> n3 idle
at 1020s show why n1
> n1 off since 1000s until -: switched off as asked for by hand (uid 0), no job needs it; nothing wakes it while power saving is off (no SuspendTime, globally or for a partition or node)
at 1020s submit -N3 --runs 10s
> job 1
at 1030s show jobs
>  1 p      PD  0:00 3 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
at 1030s admin n1 POWER_UP
> at 1030s resume n1
at 1031s show why n1
> n1 power-command since 1030s until 1090s: as asked for by hand (uid 0)
A job that names one of them is told which.
at 1031s cancel 1
> at 1031s job 1 CANCELLED
at 1032s submit -w n2 --runs 10s
> job 2
at 1033s show jobs
>  2 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n2)
at 1033s cancel 2
> at 1033s job 2 CANCELLED
The next controller knows the wish of which the program was not started.
at 1100s admin n3 POWER_DOWN
> at 1100s suspend n3
at 1100s kill
> at 1100s suspend n3
at 1120s show nodes
> n1 idle
> n[2-3] idle~
Without a SuspendProgram the request is refused.
conf
ResumeProgram=/bin/true
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 1121s admin n1 POWER_DOWN
> refused: Invalid node state specified
at 1121s admin n2 POWER_UP
> at 1121s resume n2
at 1200s show nodes
> n[1-2] idle
> n3 idle~
