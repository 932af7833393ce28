preempt/qos: a QOS with SUSPEND has its jobs suspended where the cluster has GANG, whatever the cluster does with other jobs; a job that lacks
memory beside them waits.  A QOS that says only GANG has the cluster's way.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=REQUEUE,GANG
PreemptType=preempt/qos
NodeName=n[1-3] CPUs=2 RealMemory=1000
PartitionName=DEFAULT Nodes=n[1-3] OverSubscribe=FORCE:1 DefMemPerNode=300
PartitionName=low Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s sacctmgr add qos still preemptmode=suspend
at 0s sacctmgr add qos turns preemptmode=gang
at 0s sacctmgr add qos top preempt=normal,still,turns priority=10
at 1s submit -n2 -w n1 -q still
> job 1
> at 1s launch job 1 on n1
at 1s submit -n2 -w n2
> job 2
> at 1s launch job 2 on n2
at 1s submit -n2 -w n3 -q turns
> job 3
> at 1s launch job 3 on n3
at 10s submit -n2 -w n1 -q top -p high --mem 800 -t 20s
> job 4
at 11s show jobs
>  1 low    R   0:10 1 n1
>  2 low    R   0:10 1 n2
>  3 low    R   0:10 1 n3
>  4 high   PD  0:00 1 (Resources)
at 12s cancel 4
> at 12s job 4 CANCELLED
at 20s submit -n6 -q top -p high -t 20s
> job 5
> at 20s job 2 is requeued
> at 20s terminate job 2 on n2
> at 20s job 3 is requeued
> at 20s terminate job 3 on n3
at 21s show jobs
> at 20.001s freeze job 1 on n1
> at 20.002s launch job 5 on n1
>  1 low    S   0:19 1 n1
>  2 low    PD  0:00 1 (Resources)
>  3 low    PD  0:00 1 (Resources)
>  5 high   R   0:00 3 n[1-3]
at 50s show jobs
> at 40.002s job 5 TIMEOUT
> at 40.002s terminate job 5 on n1
> at 40.002s launch job 2 on n2
> at 40.002s launch job 3 on n3
> at 40.003s thaw job 1 on n1
>  1 low    R   0:28 1 n1
>  2 low    R   0:09 1 n2
>  3 low    R   0:09 1 n3

Without GANG its jobs go the cluster's way.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=REQUEUE
PreemptType=preempt/qos
NodeName=n[1-3] CPUs=2 RealMemory=1000
PartitionName=DEFAULT Nodes=n[1-3] OverSubscribe=FORCE:1 DefMemPerNode=300
PartitionName=low Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
end
at 60s submit -n2 -w n1 -q top -p high -t 20s
> job 6
> at 60s job 1 is requeued
> at 60s terminate job 1 on n1
at 61s show jobs
> at 60.001s launch job 6 on n1
>  1 low    PD  0:00 1 (Resources)
>  2 low    R   0:20 1 n2
>  3 low    R   0:20 1 n3
>  6 high   R   0:00 1 n1
