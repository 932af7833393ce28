All components of a victim have the longest GraceTime of them, also when the controller starts anew meanwhile.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-3] CPUs=4
PartitionName=low Nodes=n[1-3] Default=YES PriorityTier=1 GraceTime=60
PartitionName=low2 Nodes=n[1-3] PriorityTier=1 GraceTime=600
PartitionName=high Nodes=n[1-3] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit -N1 -w n1 -p low --exclusive -t 2h --runs 1h : -N1 -w n2 -p low2 --exclusive -t 2h
> job 1, with components up to 2
> at 0s launch job 1 on n1
at 2s submit -N1 -w n1 -p high --exclusive -t 30m --runs 60s
> job 3
> at 2s signal job 1 on n1
> at 2s signal job 1 on n1
at 50s kill
at 51s show jobs
>  1 low    R   0:51 1 n1
>  2 low2   R   0:51 1 n2
>  3 high   PD  0:00 1 (Resources)
at 200s show jobs
>  1 low    R   3:20 1 n1
>  2 low2   R   3:20 1 n2
>  3 high   PD  0:00 1 (Resources)
at 700s show jobs
> at 602s job 1 is requeued
> at 602s terminate job 1 on n1
> at 602s job 2 is requeued
> at 602.001s launch job 3 on n1
> at 662.001s job 3 COMPLETED
> at 662.001s terminate job 3 on n1
> at 662.002s launch job 1 on n1
>  1 low    R   0:37 1 n1
>  2 low2   R   0:37 1 n2
