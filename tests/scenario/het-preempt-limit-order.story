A component finds behind another one only a node that a limit forbids: it chooses first, and both stop a job.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
AccountingStorageEnforce=limits,qos
NodeName=n[1-2] CPUs=4
NodeName=n[3-4] CPUs=8
PartitionName=low Nodes=n[1-4] Default=YES PriorityTier=1
PartitionName=a Nodes=n[1-2] PriorityTier=10
PartitionName=b Nodes=n[1,3] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s sacctmgr add account acc
at 0s sacctmgr add qos small maxtresperjob=cpu=4
at 0s sacctmgr modify account acc set qos=normal,small
at 0s sacctmgr add user alice account=acc
at 0s submit --user=alice -N1 -w n2 -p low --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n2
at 5s submit --user=alice -N1 -w n1 -p low --exclusive -t 2h --runs 1h
> job 2
> at 5s launch job 2 on n1
at 5s submit --user=alice -N1 -w n3 -p low --exclusive -t 2h --runs 1h
> job 3
> at 5s launch job 3 on n3
at 20s submit --user=alice -N1 -p a --exclusive -t 30m --runs 60s : -N1 -p b -q small --exclusive -t 20m
> job 4, with components up to 5
> at 20s job 1 is requeued
> at 20s terminate job 1 on n2
> at 20s job 2 is requeued
> at 20s terminate job 2 on n1
at 21s show jobs
> at 20.001s launch job 4 on n2
>  1 low    PD  0:00 1 (Resources)
>  2 low    PD  0:00 1 (Resources)
>  3 low    R   0:16 1 n3
>  4 a      R   0:00 1 n2
>  5 b      R   0:00 1 n1
at 100s show jobs
> at 80.001s job 4 COMPLETED
> at 80.001s terminate job 4 on n2
> at 80.001s job 5 COMPLETED
> at 80.001s launch job 2 on n1
> at 80.002s launch job 1 on n2
>  1 low    R   0:19 1 n2
>  2 low    R   0:19 1 n1
>  3 low    R   1:35 1 n3
