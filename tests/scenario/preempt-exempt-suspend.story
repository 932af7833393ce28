PreemptExemptTime with SUSPEND,GANG by tiers (Slurm: since 26.05): no job is suspended before it has run so long.
conf
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PreemptExemptTime=1:00
SchedulerTimeSlice=5
NodeName=n[1-2] CPUs=4
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-2]
PartitionName=low Default=YES PriorityTier=1
PartitionName=mid PriorityTier=5
PartitionName=top PriorityTier=7
end
at 0s submit -w n2 -N1 --exclusive -t 2h --runs 200s
> at 0s n1 registers
> at 0s n2 registers
> job 1
> at 0s launch job 1 on n2
at 10s submit -w n2 -p mid -N1 --exclusive -t 30m --runs 60s
> job 2
at 50s show jobs
>  1 low    R   0:50 1 n2
>  2 mid    PD  0:00 1 (Resources)
at 61s show jobs
> at 60s freeze job 1 on n2
> at 60.001s launch job 2 on n2
>  1 low    S   1:00 1 n2
>  2 mid    R   0:00 1 n2
at 500s show jobs
> at 120.001s job 2 COMPLETED
> at 120.001s terminate job 2 on n2
> at 120.002s thaw job 1 on n2
> at 260.002s job 1 COMPLETED
> at 260.002s terminate job 1 on n2
A job that has gone on runs in its own time: what it has run counts from its start. One of a still higher tier waits for the same.
at 600s submit -w n2 -N1 --exclusive -t 2h --runs 300s
> job 3
> at 600s launch job 3 on n2
at 610s submit -w n2 -p mid -N1 --exclusive -t 30m --runs 100s
> job 4
at 620s submit -w n2 -p top -N1 --exclusive -t 30m --runs 20s
> job 5
at 661s show jobs
> at 660s freeze job 3 on n2
> at 660.001s launch job 5 on n2
>  3 low    S   1:00 1 n2
>  4 mid    PD  0:00 1 (Resources)
>  5 top    R   0:00 1 n2
at 700s show jobs
> at 680.001s job 5 COMPLETED
> at 680.001s terminate job 5 on n2
> at 680.002s launch job 4 on n2
>  3 low    S   1:00 1 n2
>  4 mid    R   0:19 1 n2
at 900s show jobs
> at 780.002s job 4 COMPLETED
> at 780.002s terminate job 4 on n2
> at 780.003s thaw job 3 on n2
>  3 low    R   2:59 1 n2
