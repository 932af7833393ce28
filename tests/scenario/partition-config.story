More than a partition has, or than its limits allow, is no error: it waits, is told why, and goes when that changes.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SuspendProgram=/x
ResumeProgram=/x
SuspendTime=600
NodeName=n[1-2] CPUs=8 RealMemory=4000
NodeName=n[3-4] CPUs=8 RealMemory=4000 State=CLOUD
PartitionName=all Nodes=n[1-2] Default=YES DefMemPerCPU=10
PartitionName=small Nodes=n1 MaxNodes=1 MaxTime=60 DefMemPerCPU=10
PartitionName=few Nodes=n[1-2] MaxCPUsPerNode=4 DefMemPerCPU=10
PartitionName=mem Nodes=n[1-2] MaxMemPerNode=1000
PartitionName=one Nodes=n[1-2] MaxNodes=1 DefMemPerCPU=10
PartitionName=down Nodes=n[1-2] State=DOWN DefMemPerCPU=10
PartitionName=none
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
Its CPUs before all else: those that its jobs may have of them, whatever node it names or excludes, or how it wants them.
at 1s submit -n17
> job 1
at 1s submit -n2 -c9
> job 2
at 1s submit --ntasks-per-node 9 -N2
> job 3
at 1s submit -n17 -N1
> job 4
at 1s submit -n17 -w n1
> job 5
at 1s submit -n17 -x n[1-2] --tmp 1000000
> job 6
at 1s submit -n17 --exclusive
> job 7
at 1s submit -n9 -p small -N2 -t 7200s
> job 8
at 1s submit -n9 -p few
> job 9
at 1s submit -n1 -p none
> job 10
at 1s submit -n17 --hold
> job 11
at 1s submit -n17 --begin 1000s
> job 12
at 1s submit -n17 --array 0-1
> job 13
at 2s show jobs
>  1 all    PD  0:00 1 (PartitionConfig)
>  2 all    PD  0:00 1 (PartitionConfig)
>  3 all    PD  0:00 2 (PartitionConfig)
>  4 all    PD  0:00 1 (PartitionConfig)
>  5 all    PD  0:00 1 (PartitionConfig)
>  6 all    PD  0:00 1 (PartitionConfig)
>  7 all    PD  0:00 1 (PartitionConfig)
>  8 small  PD  0:00 2 (PartitionConfig)
>  9 few    PD  0:00 1 (PartitionConfig)
> 10 none   PD  0:00 1 (PartitionConfig)
> 11 all    PD  0:00 1 (JobHeldUser)
> 12 all    PD  0:00 1 (BeginTime)
> 13_[0-1] all    PD  0:00 1 (PartitionConfig)
Enough CPUs, but not as it wants them.
at 3s submit -n9 -N1
> refused: Requested node configuration is not available
at 3s submit -n1 -c9
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 3s submit -n9 -x n1
> refused: Requested node configuration is not available
at 3s submit -n9 -p one
> refused: Requested node configuration is not available
at 3s submit -n17 -p all,few
> refused: Requested node configuration is not available
at 3s submit -n17 -p down
> refused: Requested node configuration is not available
at 3s submit -N3 -p down
> refused: Requested node configuration is not available
at 3s estimate -n17
> never: PartitionConfig
Of several partitions, one has enough.
at 4s submit -n9 -p small,all --runs 1s
> job 14
> at 4s launch job 14 on n1
at 4s submit -n17 --overcommit --runs 1s
> job 15
> at 4s launch job 15 on n2
at 6s show jobs
> at 5s job 14 COMPLETED
> at 5s terminate job 14 on n1
> at 5s job 15 COMPLETED
> at 5s terminate job 15 on n2
>  1 all    PD  0:00 1 (PartitionConfig)
>  2 all    PD  0:00 1 (PartitionConfig)
>  3 all    PD  0:00 2 (PartitionConfig)
>  4 all    PD  0:00 1 (PartitionConfig)
>  5 all    PD  0:00 1 (PartitionConfig)
>  6 all    PD  0:00 1 (PartitionConfig)
>  7 all    PD  0:00 1 (PartitionConfig)
>  8 small  PD  0:00 2 (PartitionConfig)
>  9 few    PD  0:00 1 (PartitionConfig)
> 10 none   PD  0:00 1 (PartitionConfig)
> 11 all    PD  0:00 1 (JobHeldUser)
> 12 all    PD  0:00 1 (BeginTime)
> 13_[0-1] all    PD  0:00 1 (PartitionConfig)
Then nodes, time and memory.
at 7s submit -N3 -t 7200s
> job 16
at 7s submit -p small -N1 -n1 -t 7200s
> job 17
at 7s submit -p mem --mem 1001
> job 18
at 7s submit -p mem
> job 19
at 7s submit -p mem --mem 5000 --hold
> job 20
at 7s submit -p mem -n4 -N1 --mem-per-cpu 300
> job 21
at 7s submit -p mem --ntasks-per-node 2 --mem-per-cpu 600
> job 22
at 7s submit -p mem -n8 --mem-per-cpu 300
> job 23
at 7s submit -p mem -n4 --mem-per-cpu 300 --runs 1s
> job 24
> at 7s launch job 24 on n1
at 7s submit -p mem,all --mem 2000 --runs 1s
> job 25
> at 7s launch job 25 on n1
at 8s estimate -p mem --mem 2000
> at 8s job 24 COMPLETED
> at 8s terminate job 24 on n1
> at 8s job 25 COMPLETED
> at 8s terminate job 25 on n1
> never: MaxMemPerLimit
at 10s show jobs
>  1 all    PD  0:00 1 (PartitionConfig)
>  2 all    PD  0:00 1 (PartitionConfig)
>  3 all    PD  0:00 2 (PartitionConfig)
>  4 all    PD  0:00 1 (PartitionConfig)
>  5 all    PD  0:00 1 (PartitionConfig)
>  6 all    PD  0:00 1 (PartitionConfig)
>  7 all    PD  0:00 1 (PartitionConfig)
>  8 small  PD  0:00 2 (PartitionConfig)
>  9 few    PD  0:00 1 (PartitionConfig)
> 10 none   PD  0:00 1 (PartitionConfig)
> 11 all    PD  0:00 1 (JobHeldUser)
> 12 all    PD  0:00 1 (BeginTime)
> 13_[0-1] all    PD  0:00 1 (PartitionConfig)
> 16 all    PD  0:00 3 (PartitionNodeLimit)
> 17 small  PD  0:00 1 (PartitionTimeLimit)
> 18 mem    PD  0:00 1 (MaxMemPerLimit)
> 19 mem    PD  0:00 1 (MaxMemPerLimit)
> 20 mem    PD  0:00 1 (JobHeldUser)
> 21 mem    PD  0:00 1 (MaxMemPerLimit)
> 22 mem    PD  0:00 1 (MaxMemPerLimit)
> 23 mem    PD  0:00 1 (MaxMemPerLimit)
A node that is down counts. No node has been woken for all these.
at 11s admin n2 DRAIN disk
at 12s submit -n17
> job 26
at 12s submit -n16
> job 27
at 13s show jobs
>  1 all    PD  0:00 1 (PartitionConfig)
>  2 all    PD  0:00 1 (PartitionConfig)
>  3 all    PD  0:00 2 (PartitionConfig)
>  4 all    PD  0:00 1 (PartitionConfig)
>  5 all    PD  0:00 1 (PartitionConfig)
>  6 all    PD  0:00 1 (PartitionConfig)
>  7 all    PD  0:00 1 (PartitionConfig)
>  8 small  PD  0:00 2 (PartitionConfig)
>  9 few    PD  0:00 1 (PartitionConfig)
> 10 none   PD  0:00 1 (PartitionConfig)
> 11 all    PD  0:00 1 (JobHeldUser)
> 12 all    PD  0:00 1 (BeginTime)
> 13_[0-1] all    PD  0:00 1 (PartitionConfig)
> 16 all    PD  0:00 3 (PartitionNodeLimit)
> 17 small  PD  0:00 1 (PartitionTimeLimit)
> 18 mem    PD  0:00 1 (MaxMemPerLimit)
> 19 mem    PD  0:00 1 (MaxMemPerLimit)
> 20 mem    PD  0:00 1 (JobHeldUser)
> 21 mem    PD  0:00 1 (MaxMemPerLimit)
> 22 mem    PD  0:00 1 (MaxMemPerLimit)
> 23 mem    PD  0:00 1 (MaxMemPerLimit)
> 26 all    PD  0:00 1 (PartitionConfig)
> 27 all    PD  0:00 1 (Resources)
at 13s show why n3
> n3 off since - until -: never woken
at 13s admin n2 RESUME
> at 13s launch job 27 on n1
at 13s cancel 26
> at 13s job 26 CANCELLED
at 13s cancel 27
> at 13s job 27 CANCELLED
> at 13s terminate job 27 on n1
at 14s show node n3
> n3 IDLE+CLOUD+POWERED_DOWN (idle~, idle~)
It asks for less, or in another partition; then for more again.
at 15s update owner JobId=1 NumTasks=16
> at 15s launch job 1 on n1
at 15s update owner JobId=5 NumTasks=8 Partition=few
at 15s update owner JobId=9 Partition=all
at 15s update owner JobId=10 NumTasks=17 Partition=all
at 15s update owner JobId=18 MinMemoryNode=1000
at 15s update owner JobId=20 Partition=all NumTasks=99 MinMemoryNode=4
at 15s release 20
at 15s update owner JobId=22 Partition=all,small
at 15s update owner JobId=23 Partition=few NumTasks=9
at 16s show jobs
>  1 all    R   0:01 2 n[1-2]
>  2 all    PD  0:00 1 (PartitionConfig)
>  3 all    PD  0:00 2 (PartitionConfig)
>  4 all    PD  0:00 1 (PartitionConfig)
>  5 few    PD  0:00 1 (Resources)
>  6 all    PD  0:00 1 (PartitionConfig)
>  7 all    PD  0:00 1 (PartitionConfig)
>  8 small  PD  0:00 2 (PartitionConfig)
>  9 all    PD  0:00 1 (Resources)
> 10 all    PD  0:00 1 (PartitionConfig)
> 11 all    PD  0:00 1 (JobHeldUser)
> 12 all    PD  0:00 1 (BeginTime)
> 13_[0-1] all    PD  0:00 1 (PartitionConfig)
> 16 all    PD  0:00 3 (PartitionNodeLimit)
> 17 small  PD  0:00 1 (PartitionTimeLimit)
> 18 mem    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
> 19 mem    PD  0:00 1 (MaxMemPerLimit)
> 20 all    PD  0:00 1 (PartitionConfig)
> 21 mem    PD  0:00 1 (MaxMemPerLimit)
> 22 all    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
> 23 few    PD  0:00 1 (PartitionConfig)
at 17s cancel 1
> at 17s job 1 CANCELLED
> at 17s terminate job 1 on n1
> at 17s launch job 18 on n2
> at 17s launch job 22 on n2
at 17s cancel 2
> at 17s job 2 CANCELLED
at 17s cancel 3
> at 17s job 3 CANCELLED
at 17s cancel 7
> at 17s job 7 CANCELLED
at 17s cancel 8
> at 17s job 8 CANCELLED
at 17s cancel 13
> at 17s job 13 CANCELLED
at 17s cancel 5
> at 17s job 5 CANCELLED
at 17s cancel 9
> at 17s job 9 CANCELLED
at 17s cancel 18
> at 17s job 18 CANCELLED
> at 17s terminate job 18 on n2
at 17s cancel 22
> at 17s job 22 CANCELLED
> at 17s terminate job 22 on n2
at 17s cancel 17
> at 17s job 17 CANCELLED
at 18s show jobs
>  4 all    PD  0:00 1 (PartitionConfig)
>  6 all    PD  0:00 1 (PartitionConfig)
> 10 all    PD  0:00 1 (PartitionConfig)
> 11 all    PD  0:00 1 (JobHeldUser)
> 12 all    PD  0:00 1 (BeginTime)
> 16 all    PD  0:00 3 (PartitionNodeLimit)
> 19 mem    PD  0:00 1 (MaxMemPerLimit)
> 20 all    PD  0:00 1 (PartitionConfig)
> 21 mem    PD  0:00 1 (MaxMemPerLimit)
> 23 few    PD  0:00 1 (PartitionConfig)
The partitions grow, by nodes that sleep too, and allow more.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SuspendProgram=/x
ResumeProgram=/x
SuspendTime=600
NodeName=n[1-2] CPUs=8 RealMemory=4000
NodeName=n[3-4] CPUs=8 RealMemory=4000 State=CLOUD
PartitionName=all Nodes=n[1-4] Default=YES DefMemPerCPU=10
PartitionName=small Nodes=n1 MaxNodes=1 MaxTime=60 DefMemPerCPU=10
PartitionName=few Nodes=n[1-2] MaxCPUsPerNode=6 DefMemPerCPU=10
PartitionName=mem Nodes=n[1-2] MaxMemPerNode=2000
PartitionName=one Nodes=n[1-2] MaxNodes=1 DefMemPerCPU=10
PartitionName=down Nodes=n[1-2] State=DOWN DefMemPerCPU=10
PartitionName=none
end
> at 18s resume n3 (job 10: n3)
at 19s show jobs
>  4 all    PD  0:00 1 (BadConstraints)
>  6 all    PD  0:00 1 (BadConstraints)
> 10 all    CF  0:00 3 n[1-3]
> 11 all    PD  0:00 1 (JobHeldUser)
> 12 all    PD  0:00 1 (BeginTime)
> 16 all    PD  0:00 3 (Resources)
> 19 mem    PD  0:00 1 (MaxMemPerLimit)
> 20 all    PD  0:00 1 (PartitionConfig)
> 21 mem    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
> 23 few    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
at 40s show jobs
> at 38s launch job 10 on n1
>  4 all    PD  0:00 1 (BadConstraints)
>  6 all    PD  0:00 1 (BadConstraints)
> 10 all    R   0:02 3 n[1-3]
> 11 all    PD  0:00 1 (JobHeldUser)
> 12 all    PD  0:00 1 (BeginTime)
> 16 all    PD  0:00 3 (Resources)
> 19 mem    PD  0:00 1 (MaxMemPerLimit)
> 20 all    PD  0:00 1 (PartitionConfig)
> 21 mem    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
> 23 few    PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
