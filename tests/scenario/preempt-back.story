With preempt/qos a victim may stand before its preemptor in the queue, in a partition of a higher tier: it rests when it is sent back, so that the other one starts.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/qos
NodeName=n1 CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=above Nodes=ALL PriorityTier=2
MinJobAge=1000
end
at 0s hush agents
> at 0s n1 registers
at 0s sacctmgr add qos high preempt=normal
at 1s submit -p above -n2 --runs 300s
> job 1
> at 1s launch job 1 on n1
at 10s submit -n2 -q high --runs 10s
> job 2
> at 10s job 1 is requeued
> at 10s terminate job 1 on n1
at 11s show jobs
> at 10.001s launch job 2 on n1
>  1 above  PD  0:00 1 (BeginTime)
>  2 p      R   0:00 1 n1
at 200s show jobs
> at 20.001s job 2 COMPLETED
> at 20.001s terminate job 2 on n1
> at 131s launch job 1 on n1
>  1 above  R   1:09 1 n1
