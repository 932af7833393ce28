Components have their leader's turn: a claim or a plan of a job behind that one keeps no node from any of them.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-2] CPUs=4
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1 PreemptMode=CANCEL GraceTime=10
PartitionName=high Nodes=n[1-2] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 2
> at 0s launch job 2 on n2
at 1s submit --priority 100 -N1 -p high --exclusive -t 30m --runs 60s
> job 3
> at 1s signal job 1 on n1
> at 1s signal job 1 on n1
Each has a victim.  That of the second component goes already, for a job behind the leader: this one does not have the node first.
at 2s submit -N1 -w n2 -p high --exclusive -t 30m --runs 60s : -N1 -w n1 -p high --exclusive -t 20m
> job 4, with components up to 5
> at 2s signal job 2 on n2
> at 2s signal job 2 on n2
at 3s show jobs
>  1 low    R   0:03 1 n1
>  2 low    R   0:03 1 n2
>  3 high   PD  0:00 1 (Resources)
>  4 high   PD  0:00 1 (Resources)
>  5 high   PD  0:00 1 (Resources)
at 11s show jobs
> at 11s job 1 PREEMPTED
> at 11s terminate job 1 on n1
>  1 low    CG  0:11 1 n1
>  2 low    R   0:11 1 n2
>  3 high   PD  0:00 1 (Resources)
>  4 high   PD  0:00 1 (Resources)
>  5 high   PD  0:00 1 (Resources)
at 500s show jobs
> at 12s job 2 PREEMPTED
> at 12s terminate job 2 on n2
> at 12.001s launch job 4 on n2
> at 72.001s job 4 COMPLETED
> at 72.001s terminate job 4 on n2
> at 72.001s job 5 COMPLETED
> at 72.001s launch job 3 on n1
> at 132.001s job 3 COMPLETED
> at 132.001s terminate job 3 on n1
