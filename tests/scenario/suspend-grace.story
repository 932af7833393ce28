PreemptParameters=suspend_grace_time: the agents send SIGTSTP to the victim, and stop it so much later; the preemptor waits.
conf
SelectType=select/linear
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
PreemptParameters=suspend_grace_time=30
NodeName=n[1-2] CPUs=1
PartitionName=DEFAULT Nodes=n[1-2] OverSubscribe=FORCE:1
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N2
> job 1
> at 1s launch job 1 on n1
at 10s submit -p high -N1 -w n1 --runs 20s
> job 2
> at 10s freeze job 1 on n1
at 39s show jobs
>  1 low    S   0:09 2 n[1-2]
>  2 high   CF  0:00 1 n1
at 41s show jobs
> at 40.001s launch job 2 on n1
>  1 low    S   0:09 2 n[1-2]
>  2 high   R   0:00 1 n1
at 70s show jobs
> at 60.001s job 2 COMPLETED
> at 60.001s terminate job 2 on n1
> at 60.002s thaw job 1 on n1
>  1 low    R   0:18 2 n[1-2]
An agent that says nothing has so much longer before it is taken for one that cannot (freeze_timeout and 10 seconds).
at 80s fault never-answers n1
at 80s submit -p high -N1 -w n2 --runs 20s
> job 3
> at 80s freeze job 1 on n1
at 129s show jobs
>  1 low    S   0:28 2 n[1-2]
>  3 high   CF  0:00 1 n2
at 131s show jobs
> at 130s thaw job 1 on n1
>  1 low    R   0:29 2 n[1-2]
>  3 high   PD  0:00 1 (Resources)
