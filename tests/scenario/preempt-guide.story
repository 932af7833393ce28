S2, as in the guide: three partitions of one node, the lowest requeues, the middle one suspends, the highest cannot be preempted.
conf
SelectType=select/linear
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
FirstJobId=94
NodeName=linux CPUs=1
PartitionName=low Nodes=linux Default=YES OverSubscribe=NO PriorityTier=10 PreemptMode=requeue
PartitionName=med Nodes=linux Default=NO OverSubscribe=FORCE:1 PriorityTier=20 PreemptMode=suspend
PartitionName=hi Nodes=linux Default=NO OverSubscribe=FORCE:1 PriorityTier=30 PreemptMode=off
PartitionName=top Nodes=linux Default=NO OverSubscribe=FORCE:1 PriorityTier=40
end
at 0s hush agents
> at 0s linux registers
at 1s submit --runs 1000s
> job 94
> at 1s launch job 94 on linux
at 2s submit -p med --runs 100s
> job 95
> at 2s job 94 is requeued
> at 2s terminate job 94 on linux
at 3s show jobs
> at 2.001s launch job 95 on linux
> 94 low    PD  0:00 1 (Resources)
> 95 med    R   0:00 1 linux
at 4s submit -p hi --runs 20s
> job 96
> at 4s freeze job 95 on linux
at 8s show jobs
> at 4.001s launch job 96 on linux
> 94 low    PD  0:00 1 (Resources)
> 95 med    S   0:01 1 linux
> 96 hi     R   0:03 1 linux
at 9s submit -p top --runs 1s
> job 97
at 10s show jobs
> 94 low    PD  0:00 1 (Resources)
> 95 med    S   0:01 1 linux
> 96 hi     R   0:05 1 linux
> 97 top    PD  0:00 1 (Resources)
When 96 and the one behind it have ended 95 goes on; 94 still waits, and begins again after that.
at 50s show jobs
> at 24.001s job 96 COMPLETED
> at 24.001s terminate job 96 on linux
> at 24.002s launch job 97 on linux
> at 25.002s job 97 COMPLETED
> at 25.002s terminate job 97 on linux
> at 25.003s thaw job 95 on linux
> 94 low    PD  0:00 1 (Resources)
> 95 med    R   0:26 1 linux
at 200s show jobs
> at 123.004s job 95 COMPLETED
> at 123.004s terminate job 95 on linux
> at 123.005s launch job 94 on linux
> 94 low    R   1:16 1 linux
