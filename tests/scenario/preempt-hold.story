S18: what the victims of a job that waits have is kept for it, whole nodes, until the last of them is gone.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
NodeName=n[1-2] CPUs=2
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2 GraceTime=60
PartitionName=top PriorityTier=3
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N2 -n4 --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s step 1
at 3s submit -N1 -n2 -t 60s --runs 10s
> job 2
at 4s agents off
at 5s submit -N1 -n1 -p high -w n2 --runs 10s
> job 3
> at 5s job 1 is requeued
> at 5s terminate job 1 on n1
> at 5s terminate job 1 on n2
at 6s gone 1 n1
at 7s show jobs
>  1 low    CG  0:00 2 n[1-2]
>  2 low    PD  0:00 1 (Resources)
>  3 high   PD  0:00 1 (Resources)
at 8s estimate -N1 -n1
> in 00:00:58 on n1, 1 CPUs
Who is before it in the queue does not mind.
at 9s submit -N1 -n2 -p top -w n1 --runs 1000s
> job 4
> at 9s launch job 4 on n1
at 10s show jobs
>  1 low    CG  0:00 2 n[1-2]
>  2 low    PD  0:00 1 (Resources)
>  3 high   PD  0:00 1 (Resources)
>  4 top    R   0:01 1 n1
at 11s gone 1 n2
> at 11s launch job 3 on n2
at 11.5s show jobs
>  1 low    PD  0:00 2 (Resources)
>  2 low    PD  0:00 1 (Resources)
>  3 high   R   0:00 1 n2
>  4 top    R   0:02 1 n1
at 12s agents on
at 13s launched 3
at 14s launched 4
