Components are sent back together: one judges where all stood when they ran, not where the first one stands already.  They need not rest.
conf
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityType=priority/multifactor
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
ResumeTimeout=60
NodeName=n[1-4] CPUs=4 State=CLOUD
PartitionName=low Nodes=n[2-4] Default=YES PriorityTier=1
PartitionName=mid Nodes=n[1-4] PriorityTier=5
PartitionName=t2 Nodes=n4 PriorityTier=20
end
at 0s hush agents
at 0s sacctmgr add qos norm
at 0s sacctmgr add qos hi preempt=norm
at 0s submit -N1 -w n4 -p t2 -q hi --exclusive -t 2h --runs 1h
> job 1
at 1s submit -N1 -p t2,low -q norm --exclusive -t 2h --runs 1h : -N1 -w n3 -p low -q norm --exclusive -t 2h
> at 0.2s resume n4 (job 1: n4)
> job 2, with components up to 3
> at 1s resume n[2-3] (job 2: n2; job 3: n3)
at 2s submit -N1 -w n2 -p mid -q hi --exclusive -t 30m --runs 60s
> job 4
> at 2s job 2 is requeued
> at 2s job 3 is requeued
at 3s show jobs
>  1 t2     CF  0:00 1 n4
>  2 t2     PD  0:00 1 (Resources)
>  3 low    PD  0:00 1 (Resources)
>  4 mid    CF  0:00 1 n2
at 200s show jobs
> at 20.2s launch job 1 on n4
> at 21s launch job 4 on n2
> at 81s job 4 COMPLETED
> at 81s terminate job 4 on n2
> at 81.001s launch job 2 on n2
>  1 t2     R   2:59 1 n4
>  2 low    R   1:58 1 n2
>  3 low    R   1:58 1 n3
