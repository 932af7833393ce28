Both components are victims, and run nothing yet: the first that ends takes the other with it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
ResumeTimeout=60
NodeName=n[1-2] CPUs=4 State=CLOUD
PartitionName=low Nodes=n[1-2] Default=YES PreemptMode=REQUEUE
PartitionName=high Nodes=n[1-2] PriorityTier=10 PreemptMode=OFF
end
at 0s submit -N1 --exclusive --runs 100s : -N1 --exclusive
> job 1, with components up to 2
at 1s submit -N2 -p high --exclusive --runs 50s
> at 0.4s resume n[1-2] (job 1: n1; job 2: n2)
> job 3
> at 1s job 1 is requeued
> at 1s job 2 is requeued
at 2s show jobs
>  1 low    PD  0:00 1 (Resources)
>  2 low    PD  0:00 1 (Resources)
>  3 high   CF  0:00 2 n[1-2]
at 100s show jobs
> at 20.4s n1 registers
> at 20.4s n2 registers
> at 20.4s launch job 3 on n1
> at 70.4s job 3 COMPLETED
> at 70.4s terminate job 3 on n1
> at 70.401s launch job 1 on n1
>  1 low    R   0:29 1 n1
>  2 low    R   0:29 1 n2
at 400s show jobs
> at 170.401s job 1 COMPLETED
> at 170.401s terminate job 1 on n1
> at 170.401s job 2 COMPLETED
