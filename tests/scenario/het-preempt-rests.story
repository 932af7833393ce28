A component stops a job that comes before the leader in the partition where that is to start, not in the first one that it asks for: the victim rests.
conf
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityType=priority/multifactor
NodeName=n[1-3] CPUs=4
PartitionName=low Nodes=n[1-3] Default=YES PriorityTier=1
PartitionName=mid Nodes=n[1-3] PriorityTier=5
PartitionName=top Nodes=n3 PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s sacctmgr add qos norm
at 0s sacctmgr add qos hi preempt=norm
at 0s submit -N1 -w n3 -p top -q hi --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n3
at 1s submit -N1 -w n1 -p mid -q norm --exclusive -t 2h --runs 1h
> job 2
> at 1s launch job 2 on n1
at 2s submit -N1 -p top,low -q norm --exclusive -t 30m --runs 60s : -N1 -w n1 -p mid -q hi --exclusive -t 20m
> job 3, with components up to 4
> at 2s job 2 is requeued
> at 2s terminate job 2 on n1
at 2.02s show jobs
> at 2.001s launch job 3 on n2
>  1 top    R   0:02 1 n3
>  2 mid    PD  0:00 1 (BeginTime)
>  3 low    R   0:00 1 n2
>  4 mid    R   0:00 1 n1
