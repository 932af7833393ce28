A preemptor that waits for a job on its way out has the rest of its nodes kept: no job behind it starts there by force, only to be sent back for it.
conf
SelectType=select/linear
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-2] CPUs=1
PartitionName=DEFAULT Nodes=ALL MaxTime=100 OverSubscribe=FORCE:1
PartitionName=low Default=YES PriorityTier=1
PartitionName=mid PriorityTier=2 PreemptMode=requeue
PartitionName=high PriorityTier=3
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -w n1 -p mid -t 1000s
> job 1
> at 1s launch job 1 on n1
at 1s submit -w n2 -t 1000s
> job 2
> at 1s launch job 2 on n2
at 3s fault unkillable n1
at 10s cancel 1
> at 10s job 1 CANCELLED
> at 10s terminate job 1 on n1
at 11s submit -N2 -p high -t 100s
> job 3
at 12s submit -p mid -t 100s
> job 4
at 12s show jobs
>  1 mid    CG  0:09 1 n1
>  2 low    R   0:11 1 n2
>  3 high   PD  0:00 2 (Resources)
>  4 mid    PD  0:00 1 (Resources)
at 75s show jobs
> at 70s freeze job 2 on n2
> at 70.001s launch job 4 on n2
>  2 low    S   1:09 1 n2
>  3 high   PD  0:00 2 (Resources)
>  4 mid    R   0:04 1 n2
at 400s show jobs
> at 170.001s job 4 TIMEOUT
> at 170.001s terminate job 4 on n2
> at 170.002s thaw job 2 on n2
>  2 low    R   4:58 1 n2
>  3 high   PD  0:00 2 (Resources)
