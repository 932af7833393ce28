preempt/qos with WITHIN: a job ends those of its QOS that have a lower priority, but none of a higher tier.  That would come
first again when the nodes are free, be ended again, and so on.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/qos
PriorityType=priority/multifactor
NodeName=n1 CPUs=2
PartitionName=DEFAULT Nodes=n1
PartitionName=low Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
at 0s sacctmgr add qos few preemptmode=within,requeue
at 1s submit -n2 -q few -p high --priority 10 -t 600s
> job 1
> at 1s launch job 1 on n1
at 2s submit -n2 -q few -p low --priority 100 -t 60s
> job 2
at 100s show jobs
>  1 high   R   1:39 1 n1
>  2 low    PD  0:00 1 (Resources)
at 101s cancel 1
> at 101s job 1 CANCELLED
> at 101s terminate job 1 on n1
at 200s submit -n2 -q few -p low --priority 10 -t 600s
> at 101.001s launch job 2 on n1
> at 161.001s job 2 TIMEOUT
> at 161.001s terminate job 2 on n1
> job 3
> at 200s launch job 3 on n1
at 201s submit -n2 -q few -p low --priority 100 -t 60s
> job 4
> at 201s job 3 is requeued
> at 201s terminate job 3 on n1
at 202s show jobs
> at 201.001s launch job 4 on n1
>  3 low    PD  0:00 1 (Resources)
>  4 low    R   0:00 1 n1
