A heterogeneous job is suspended for a preemptor as one, and goes on as one when all of its nodes are free; with a component of mode CANCEL, too.
conf
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=30
NodeName=n[1-4] CPUs=4
PartitionName=low Nodes=n[1-4] Default=YES PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=mid Nodes=n[1-4] PriorityTier=5 PreemptMode=CANCEL
PartitionName=high Nodes=n[1-4] PriorityTier=10 OverSubscribe=FORCE:1
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s submit -w n1 --exclusive -t 1h --runs 100s : -p mid -w n2 --exclusive : -w n3 --exclusive
> job 1, with components up to 3
> at 0s launch job 1 on n1
at 1s tell freeze
at 1s tell thaw
One node is wanted, all three stand still.
at 10s submit -p high -w n2 --exclusive -t 1h --runs 50s
> job 4
> at 10s freeze job 1 on n1
> at 10s launch job 4 on n2
at 11s show jobs
>  1 low    S   0:10 1 n1
>  2 mid    S   0:10 1 n2
>  3 low    S   0:10 1 n3
>  4 high   R   0:01 1 n2
at 12s show job 1
> job 1 SUSPENDED Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:10 Nodes=n1 CPUs=4 Exit=0:0
A job of its own tier takes nothing that it holds, and gets no turn.
at 12s submit -w n1 --exclusive -t 1h --runs 20s
> job 5
A second preemptor takes another one of its nodes.
at 20s submit -p high -w n3 --exclusive -t 1h --runs 100s
> job 6
> at 20s launch job 6 on n3
The first one ends: the job does not go on by parts.
at 70s show jobs
> at 60s job 4 COMPLETED
> at 60s terminate job 4 on n2
>  1 low    S   0:10 1 n1
>  2 mid    S   0:10 1 n2
>  3 low    S   0:10 1 n3
>  5 low    PD  0:00 1 (Resources)
>  6 high   R   0:50 1 n3
The next controller knows that.
at 75s kill
at 110s show jobs
>  1 low    S   0:10 1 n1
>  2 mid    S   0:10 1 n2
>  3 low    S   0:10 1 n3
>  5 low    PD  0:00 1 (Resources)
>  6 high   R   1:30 1 n3
When all nodes are free all go on.
at 125s show jobs
> at 120s job 6 COMPLETED
> at 120s terminate job 6 on n3
> at 120.001s thaw job 1 on n1
>  1 low    R   0:14 1 n1
>  2 mid    R   0:14 1 n2
>  3 low    R   0:14 1 n3
>  5 low    PD  0:00 1 (Resources)
at 126s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:15 Nodes=n1 CPUs=4 Exit=0:0
Where one node cannot freeze it none does, and the preemptor looks for others.
at 130s fault cannot-freeze n1
at 131s submit -p high -w n1 --exclusive -t 1h --runs 10s
> job 7
> at 131s freeze job 1 on n1
at 145s show jobs
>  1 low    R   0:24 1 n1
>  2 mid    R   0:24 1 n2
>  3 low    R   0:24 1 n3
>  5 low    PD  0:00 1 (Resources)
>  7 high   PD  0:00 1 (Resources)
It is tried again later.
at 160s show jobs
> at 151s freeze job 1 on n1
>  1 low    S   0:30 1 n1
>  2 mid    S   0:30 1 n2
>  3 low    S   0:30 1 n3
>  5 low    PD  0:00 1 (Resources)
>  7 high   CF  0:00 1 n1
at 250s show jobs
> at 181s freeze job 1 on n1
> at 210.001s job 1 COMPLETED
> at 210.001s terminate job 1 on n1
> at 210.001s job 2 COMPLETED
> at 210.001s job 3 COMPLETED
> at 210.002s launch job 7 on n1
> at 220.002s job 7 COMPLETED
> at 220.002s terminate job 7 on n1
> at 220.003s launch job 5 on n1
> at 240.003s job 5 COMPLETED
> at 240.003s terminate job 5 on n1
