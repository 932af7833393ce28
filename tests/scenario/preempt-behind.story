A preemptor waits for the node of a job that is ending; that a job behind it has a plan there is no reason to stop another job.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100000
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=1
NodeName=z CPUs=1 State=CLOUD
PartitionName=DEFAULT Nodes=n[1-2] MaxTime=100
PartitionName=low Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
PartitionName=slow Nodes=z ResumeTimeout=300
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -w n1 -t 1000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -w n2 -t 1000s
> job 2
> at 2s launch job 2 on n2
at 3s fault unkillable n2
at 10s cancel 2
> at 10s job 2 CANCELLED
> at 10s terminate job 2 on n2
at 11s submit -t 100s -p high
> job 3
at 12s submit -t 100s -w n2
> job 4
at 13s submit -t 100s -p slow --hold
> job 5
at 13s submit -t 100s
> job 6
at 14s show plan
> 3 at 43s on n2 until 143s
> 4 at 143s on n2 until 243s
> 6 at 243s on n2 until 343s
> 5 is not planned
at 14s show jobs
>  1 low    R   0:13 1 n1
>  2 low    CG  0:08 1 n2
>  3 high   PD  0:00 1 (Resources)
>  4 low    PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  5 slow   PD  0:00 1 (JobHeldUser)
>  6 low    PD  0:00 1 (Resources)
at 15s repair n2
at 20s show jobs
>  1 low    R   0:19 1 n1
>  2 low    CG  0:08 1 n2
>  3 high   PD  0:00 1 (Resources)
>  4 low    PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  5 slow   PD  0:00 1 (JobHeldUser)
>  6 low    PD  0:00 1 (Resources)
