A component is held while victims of its job are going: the nodes are claimed no more.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-2] CPUs=4
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1 GraceTime=600
PartitionName=high Nodes=n[1-2] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s submit -N1 -w n1 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 20s submit -N1 -w n2 -p high --exclusive -t 30m --runs 60s : -N1 -w n1 -p high --exclusive -t 20m
> job 2, with components up to 3
> at 20s signal job 1 on n1
> at 20s signal job 1 on n1
at 22s submit -N1 -w n2 -p low --exclusive -t 5m --runs 60s
> job 4
at 23s show jobs
>  1 low    R   0:23 1 n1
>  2 high   PD  0:00 1 (Resources)
>  3 high   PD  0:00 1 (Resources)
>  4 low    PD  0:00 1 (Resources)
at 24s hold 3
> at 24s launch job 4 on n2
at 25s show jobs
>  1 low    R   0:25 1 n1
>  2 high   PD  0:00 1 (JobHeldAdmin)
>  3 high   PD  0:00 1 (JobHeldAdmin)
>  4 low    R   0:01 1 n2
at 100s show jobs
> at 84s job 4 COMPLETED
> at 84s terminate job 4 on n2
>  1 low    R   1:40 1 n1
>  2 high   PD  0:00 1 (JobHeldAdmin)
>  3 high   PD  0:00 1 (JobHeldAdmin)
at 700s show jobs
> at 620s job 1 is requeued
> at 620s terminate job 1 on n1
> at 620.001s launch job 1 on n1
>  1 low    R   1:19 1 n1
>  2 high   PD  0:00 1 (JobHeldAdmin)
>  3 high   PD  0:00 1 (JobHeldAdmin)
