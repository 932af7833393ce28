Without backfill: a job that the pass requeues and that has not run yet is gone at once, and its preemptor starts in the next pass, not when something else happens.
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=10
ResumeTimeout=100
NodeName=n[1-2] CPUs=2 State=CLOUD
PartitionName=low Nodes=ALL Default=YES PriorityTier=1
PartitionName=high Nodes=ALL PriorityTier=2
MinJobAge=1000
end
at 0s hush agents
at 1s submit -N2 -n4 --runs 100s
> job 1
> at 1s resume n[1-2] (job 1: n[1-2])
at 5s submit -p high -n2 -w n1 --runs 10s
> job 2
> at 5s job 1 is requeued
at 6s show jobs
>  1 low    PD  0:00 2 (Resources)
>  2 high   CF  0:00 1 n1
at 300s show jobs
> at 21s launch job 2 on n1
> at 31s job 2 COMPLETED
> at 31s terminate job 2 on n1
> at 31.001s launch job 1 on n1
> at 131.001s job 1 COMPLETED
> at 131.001s terminate job 1 on n1
