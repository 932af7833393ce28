The epilog of a victim holds its nodes; without an Epilog no node is asked that has had nothing of a job.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
Epilog=/epilog
NodeName=n[1-2] CPUs=2
PartitionName=low Nodes=ALL Default=YES
PartitionName=high Nodes=ALL PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s delay epilog 30s
at 1s submit -N2 -n4 --runs 500s
> job 1
> at 1s launch job 1 on n1
at 10s submit -p high -N2 -n4 --runs 100s
> job 2
> at 10s job 1 is requeued
> at 10s terminate job 1 on n1
> at 10s terminate job 1 on n2
at 11s show jobs
>  1 low    CG  0:00 2 n[1-2]
>  2 high   PD  0:00 2 (Resources)
at 60s show jobs
> at 40.001s launch job 2 on n1
>  1 low    PD  0:00 2 (Resources)
>  2 high   R   0:19 2 n[1-2]
A job that gives its nodes back before it has begun has had no hook.
at 61s cancel 1
> at 61s job 1 CANCELLED
at 150s show nodes
> at 140.001s job 2 COMPLETED
> at 140.001s terminate job 2 on n1
> at 140.001s terminate job 2 on n2
> n[1-2] comp
