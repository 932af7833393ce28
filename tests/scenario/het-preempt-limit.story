Nobody is stopped for a heterogeneous job that a limit keeps waiting all the same, although each of its components is within it.
conf
AccountingStorageEnforce=limits
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-4] CPUs=4
PartitionName=low Nodes=n[1-4] Default=YES PriorityTier=1
PartitionName=high Nodes=n[1-4] PriorityTier=10 QOS=six
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s sacctmgr add qos six grptres=cpu=6
at 0s sacctmgr add account team
at 0s sacctmgr add user user account=team
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 2
> at 0s launch job 2 on n2
at 0s submit -N1 -p low --exclusive -t 2h --runs 1h
> job 3
> at 0s launch job 3 on n3
at 1s submit -N1 -p high --exclusive -t 1h --runs 60s : -N1 -p high --exclusive -t 1h
> job 4, with components up to 5
at 2s show jobs
>  1 low    R   0:02 1 n1
>  2 low    R   0:02 1 n2
>  3 low    R   0:02 1 n3
>  4 high   PD  0:00 1 (Resources)
>  5 high   PD  0:00 1 (Resources)
at 3s sacctmgr modify qos six set grptres=cpu=8
> at 3s job 1 PREEMPTED
> at 3s terminate job 1 on n1
at 4s show jobs
> at 3.001s launch job 4 on n1
>  2 low    R   0:04 1 n2
>  3 low    R   0:04 1 n3
>  4 high   R   0:00 1 n1
>  5 high   R   0:00 1 n4
A component that may stop no job has the node that is free, and the other one the node of a victim.
at 70s submit -N1 -p low --exclusive -t 2h --runs 1h
> at 63.001s job 4 COMPLETED
> at 63.001s terminate job 4 on n1
> at 63.001s job 5 COMPLETED
> job 6
> at 70s launch job 6 on n1
at 71s submit -N1 -p high --exclusive -t 1h --runs 60s : -N1 -p low --exclusive -t 1h
> job 7, with components up to 8
> at 71s job 6 PREEMPTED
> at 71s terminate job 6 on n1
at 72s show jobs
> at 71.001s launch job 7 on n1
>  2 low    R   1:12 1 n2
>  3 low    R   1:12 1 n3
>  7 high   R   0:00 1 n1
>  8 low    R   0:00 1 n4
Also where that one is the leader: a job is stopped for the other one, and nodes are kept for both.
at 140s submit -N1 -p low --exclusive -t 2h --runs 1h
> at 131.001s job 7 COMPLETED
> at 131.001s terminate job 7 on n1
> at 131.001s job 8 COMPLETED
> job 9
> at 140s launch job 9 on n1
at 141s submit -N1 -p low --exclusive -t 1h --runs 60s : -N1 -p high --exclusive -t 1h
> job 10, with components up to 11
> at 141s job 9 PREEMPTED
> at 141s terminate job 9 on n1
at 142s show jobs
> at 141.001s launch job 10 on n1
>  2 low    R   2:22 1 n2
>  3 low    R   2:22 1 n3
> 10 low    R   0:00 1 n1
> 11 high   R   0:00 1 n4
at 150s show jobs
>  2 low    R   2:30 1 n2
>  3 low    R   2:30 1 n3
> 10 low    R   0:08 1 n1
> 11 high   R   0:08 1 n4
