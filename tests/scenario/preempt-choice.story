The victims: the least harm over all places, and Slurm's order where it is the same.
S9: eight nodes are needed, jobs of 2, 4 and 8 run: the one of 8 goes alone.
conf
SelectType=select/linear
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
NodeName=n[1-14] CPUs=1
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
> at 0s n9 registers
> at 0s n10 registers
> at 0s n11 registers
> at 0s n12 registers
> at 0s n13 registers
> at 0s n14 registers
at 1s submit -N2 --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N4 --runs 1000s
> job 2
> at 2s launch job 2 on n3
at 3s submit -N8 --runs 1000s
> job 3
> at 3s launch job 3 on n7
at 10s submit -N8 -p high --runs 10s
> job 4
> at 10s job 3 is requeued
> at 10s terminate job 3 on n7
at 11s show jobs
> at 10.001s launch job 4 on n7
>  1 low    R   0:10 2 n[1-2]
>  2 low    R   0:09 4 n[3-6]
>  3 low    PD  0:00 8 (Resources)
>  4 high   R   0:00 8 n[7-14]
Four nodes: the job of 4 goes, though the one of 2 and half of the one of 8 are there.
at 100s submit -N4 -p high --runs 10s
> at 20.001s job 4 COMPLETED
> at 20.001s terminate job 4 on n7
> at 20.002s launch job 3 on n7
> job 5
> at 100s job 2 is requeued
> at 100s terminate job 2 on n3
at 101s show jobs
> at 100.001s launch job 5 on n3
>  1 low    R   1:40 2 n[1-2]
>  2 low    PD  0:00 4 (Resources)
>  3 low    R   1:20 8 n[7-14]
>  5 high   R   0:00 4 n[3-6]
Strictly in order: 2 and 4, as both come before 8 and neither alone is enough.
conf
SelectType=select/linear
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
PreemptParameters=strict_order
NodeName=n[1-14] CPUs=1
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 200s submit -N5 -p high --runs 10s
> at 110.001s job 5 COMPLETED
> at 110.001s terminate job 5 on n3
> at 110.002s launch job 2 on n3
> job 6
> at 200s job 1 is requeued
> at 200s terminate job 1 on n1
> at 200s job 2 is requeued
> at 200s terminate job 2 on n3
at 201s show jobs
> at 200.001s launch job 6 on n1
>  1 low    PD  0:00 2 (Resources)
>  2 low    PD  0:00 4 (Priority)
>  3 low    R   3:00 8 n[7-14]
>  6 high   R   0:00 5 n[1-2,4-6]
at 300s show jobs
> at 210.001s job 6 COMPLETED
> at 210.001s terminate job 6 on n1
> at 210.001s launch job 1 on n2
> at 210.002s launch job 2 on n1
>  1 low    R   1:29 2 n[2-3]
>  2 low    R   1:29 4 n[1,4-6]
>  3 low    R   4:39 8 n[7-14]
S10: of two equal ones the younger goes, by what is lost; and so it is with youngest_first, over the tiers.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
PreemptParameters=youngest_first
NodeName=n[1-14] CPUs=1
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=middle PriorityTier=2
PartitionName=high PriorityTier=3
end
at 1100s submit -N7 --runs 1000s
> at 1020.002s job 3 COMPLETED
> at 1020.002s terminate job 3 on n7
> job 7
> at 1100s launch job 7 on n7
at 1101s submit -N7 -p middle --runs 1000s
> job 8
> at 1101s job 7 PREEMPTED
> at 1101s terminate job 7 on n7
> at 1101s launch job 8 on n8
at 1110s submit -N1 -p high --runs 10s
> job 9
> at 1110s launch job 9 on n7
at 1111s show jobs
>  1 low    R  15:00 2 n[2-3]
>  2 low    R  15:00 4 n[1,4-6]
>  8 middle R   0:10 7 n[8-14]
>  9 high   R   0:01 1 n7
at 1200s submit -N7 -p middle --runs 1000s
> at 1120s job 9 COMPLETED
> at 1120s terminate job 9 on n7
> job 10
> at 1200s job 2 PREEMPTED
> at 1200s terminate job 2 on n1
> at 1200s job 1 PREEMPTED
> at 1200s terminate job 1 on n2
Without it the lower tier goes, although more is lost.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
NodeName=n[1-14] CPUs=1
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=middle PriorityTier=2
PartitionName=high PriorityTier=3
end
at 1210s submit -N1 -p high --runs 10s
> at 1200.001s launch job 10 on n1
> job 11
> at 1210s job 10 PREEMPTED
> at 1210s terminate job 10 on n1
> at 1210s launch job 11 on n2
at 1211s show jobs
>  8 middle R   1:50 7 n[8-14]
> 11 high   R   0:01 1 n2
at 2300s submit -N7 --runs 100s
> at 1220s job 11 COMPLETED
> at 1220s terminate job 11 on n2
> at 2101s job 8 COMPLETED
> at 2101s terminate job 8 on n8
> job 12
> at 2300s launch job 12 on n1
at 2310s submit -N7 --runs 100s
> job 13
> at 2310s launch job 13 on n8
at 2320s submit -N7 -p high --runs 10s
> job 14
> at 2320s job 13 PREEMPTED
> at 2320s terminate job 13 on n8
at 2321s show jobs
> at 2320.001s launch job 14 on n8
> 12 low    R   0:21 7 n[1-7]
> 14 high   R   0:00 7 n[8-14]
S8: no victim is chosen before PreemptExemptTime; the pass comes back by itself.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
PreemptExemptTime=5:00
PreemptParameters=min_exempt_priority=1000
NodeName=n[1-14] CPUs=1
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=middle PriorityTier=2
PartitionName=high PriorityTier=3
end
at 3000s submit -N7 --priority 1000 --runs 1000s
> at 2330.001s job 14 COMPLETED
> at 2330.001s terminate job 14 on n8
> at 2400s job 12 COMPLETED
> at 2400s terminate job 12 on n1
> job 15
> at 3000s launch job 15 on n1
at 3001s submit -N7 --priority 1001 --runs 1000s
> job 16
> at 3001s launch job 16 on n8
at 3100s submit -N1 -p high --runs 10s
> job 17
at 3101s show jobs
> 15 low    R   1:41 7 n[1-7]
> 16 low    R   1:40 7 n[8-14]
> 17 high   PD  0:00 1 (Resources)
at 3301s show jobs
> at 3300s job 15 PREEMPTED
> at 3300s terminate job 15 on n1
> at 3300s launch job 17 on n2
> 16 low    R   5:00 7 n[8-14]
> 17 high   R   0:01 1 n2
