With preempt/qos the job that has stopped another for a node has that node before tasks that wait, and that it could stop only later.
conf
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=1:00
NodeName=n[1-2] CPUs=4
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1
PartitionName=mid Nodes=n1 PriorityTier=5
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s sacctmgr add qos norm
at 0s sacctmgr add qos hi preempt=norm
at 0s submit --array 1-4 -N1 -p mid -q norm --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 2 on n1
at 2s submit -N1 -w n1 -p low -q hi --exclusive -t 30m --runs 60s
> job 3
at 61s show jobs
> at 60s job 2 is requeued
> at 60s terminate job 2 on n1
> at 60.001s launch job 3 on n1
> 1_[2-4] mid    PD  0:00 1 (Resources)
> 1_1 mid    PD  0:00 1 (BeginTime)
>  3 low    R   0:00 1 n1
at 130s show jobs
> at 120.001s job 3 COMPLETED
> at 120.001s terminate job 3 on n1
> at 120.002s launch job 4 on n1
> 1_[3-4] mid    PD  0:00 1 (Resources)
> 1_1 mid    PD  0:00 1 (BeginTime)
> 1_2 mid    R   0:09 1 n1
at 300s show jobs
> 1_[3-4] mid    PD  0:00 1 (Resources)
> 1_1 mid    PD  0:00 1 (Priority)
> 1_2 mid    R   2:59 1 n1
at 600s show jobs
> 1_[3-4] mid    PD  0:00 1 (Resources)
> 1_1 mid    PD  0:00 1 (Priority)
> 1_2 mid    R   7:59 1 n1
