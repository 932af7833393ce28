What a component has stopped a task for is kept from all jobs that it would stop, although they come before the leader.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
ResumeTimeout=60
NodeName=n[1-2] CPUs=4 State=CLOUD
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1
PartitionName=mid Nodes=n1 PriorityTier=5
PartitionName=high Nodes=n[1-2] PriorityTier=10
end
at 0s hush agents
at 0s submit --array 1-30 -N1 -p mid --exclusive -t 2h --runs 1h
> job 1
at 2s submit -N1 -w n2 -p low --exclusive -t 30m --runs 60s : -N1 -w n1 -p high --exclusive -t 20m
> at 0.2s resume n1 (job 2: n1)
> job 3, with components up to 4
> at 2s job 2 PREEMPTED
> at 2s resume n2 (job 3: n2)
at 3s show jobs
> 1_[2-30] mid    PD  0:00 1 (Resources)
>  3 low    CF  0:00 1 n2
>  4 high   CF  0:00 1 n1
at 100s show jobs
> at 22s launch job 3 on n2
> at 82s job 3 COMPLETED
> at 82s terminate job 3 on n2
> at 82s job 4 COMPLETED
> at 82s launch job 5 on n1
> 1_[3-30] mid    PD  0:00 1 (Resources)
> 1_2 mid    R   0:18 1 n1
