A victim has made way for a component, and a job of a middle tier waits for the leader's node: it does not have that one first, or the victim had gone in vain.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-2] CPUs=4
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1 GraceTime=60
PartitionName=mid Nodes=n[1-2] PriorityTier=5 GraceTime=60
PartitionName=high Nodes=n[1-2] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s submit -N1 -w n1 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 20s submit --nice 100 -N1 -w n2 -p low --exclusive -t 30m --runs 60s : -N1 -w n1 -p high --exclusive -t 20m
> job 2, with components up to 3
> at 20s signal job 1 on n1
> at 20s signal job 1 on n1
at 21s show jobs
>  1 low    R   0:21 1 n1
>  2 low    PD  0:00 1 (Resources)
>  3 high   PD  0:00 1 (Resources)
at 23s submit -N1 -w n2 -p mid --exclusive -t 30m --runs 300s
> job 4
at 24s show jobs
>  1 low    R   0:24 1 n1
>  2 low    PD  0:00 1 (Resources)
>  3 high   PD  0:00 1 (Resources)
>  4 mid    PD  0:00 1 (Resources)
at 81s show jobs
> at 80s job 1 is requeued
> at 80s terminate job 1 on n1
> at 80.001s launch job 2 on n2
>  1 low    PD  0:00 1 (BeginTime)
>  2 low    R   0:00 1 n2
>  3 high   R   0:00 1 n1
>  4 mid    PD  0:00 1 (Resources)
at 100s show jobs
>  1 low    PD  0:00 1 (BeginTime)
>  2 low    R   0:19 1 n2
>  3 high   R   0:19 1 n1
>  4 mid    PD  0:00 1 (Resources)
at 199s show plan
> at 140.001s job 2 COMPLETED
> at 140.001s terminate job 2 on n2
> at 140.001s job 3 COMPLETED
> at 140.002s launch job 4 on n2
> 1 is not planned
at 205s show jobs
> at 201s launch job 1 on n1
>  1 low    R   0:04 1 n1
>  4 mid    R   1:04 1 n2
at 205s show plan
at 205s show why 1
> no node 1
at 379s show jobs
>  1 low    R   2:58 1 n1
>  4 mid    R   3:58 1 n2
at 600s show jobs
> at 440.002s job 4 COMPLETED
> at 440.002s terminate job 4 on n2
>  1 low    R   6:39 1 n1
