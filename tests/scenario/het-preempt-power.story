Others are stopped for a heterogeneous job also where only so many nodes may have power (max_powered_nodes): for what all of its components would wake there must be room.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=60
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=max_powered_nodes=3
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-5] CPUs=2 State=CLOUD
PartitionName=low Nodes=n[1-3] Default=YES PriorityTier=1
PartitionName=high Nodes=n[1-5] PriorityTier=10
end
at 0s hush agents
at 0s delay boot 10s
at 1s submit -N2 -p low --exclusive -t 2h --runs 1h
> job 1
> at 1s resume n[1-2] (job 1: n[1-2])
at 20s show jobs
> at 11s launch job 1 on n1
>  1 low    R   0:09 2 n[1-2]
There is room for one more node, not for two: one of them has a node of the victim.
at 21s submit -N1 -p high --exclusive -t 1h --runs 60s : -N1 -p high --exclusive -t 1h
> job 2, with components up to 3
> at 21s job 1 PREEMPTED
> at 21s terminate job 1 on n1
> at 21s resume n3 (job 3: n3)
at 40s show jobs
> at 31s launch job 2 on n2
>  2 high   R   0:09 1 n2
>  3 high   R   0:09 1 n3
