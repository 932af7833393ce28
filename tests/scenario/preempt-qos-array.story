Tasks that wait come before the job that has stopped another one for its node: they leave it that node.
conf
PreemptType=preempt/qos
PreemptMode=REQUEUE
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
ResumeTimeout=60
NodeName=n[1-2] CPUs=4 State=CLOUD
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1
PartitionName=mid Nodes=n1 PriorityTier=5
end
at 0s hush agents
at 0s sacctmgr add qos norm
at 0s sacctmgr add qos hi preempt=norm
at 0s submit --array 1-4 -N1 -p mid -q norm --exclusive -t 2h --runs 1h
> job 1
at 2s submit -N1 -w n1 -p low -q hi --exclusive -t 30m --runs 60s
> at 0.2s resume n1 (job 2: n1)
> job 3
> at 2s job 2 is requeued
at 3s show jobs
> 1_[2-4] mid    PD  0:00 1 (Resources)
> 1_1 mid    PD  0:00 1 (BeginTime)
>  3 low    CF  0:00 1 n1
at 100s show jobs
> at 20.2s launch job 3 on n1
> at 80.2s job 3 COMPLETED
> at 80.2s terminate job 3 on n1
> at 80.201s launch job 4 on n1
> 1_[3-4] mid    PD  0:00 1 (Resources)
> 1_1 mid    PD  0:00 1 (BeginTime)
> 1_2 mid    R   0:19 1 n1
