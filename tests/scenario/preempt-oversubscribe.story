PreemptMode=SUSPEND: the partition of the job that is suspended has OverSubscribe=FORCE; that of the preemptor may have what it likes, but for EXCLUSIVE.  Slurm 22.05 was asked the first four, and does the same.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-8] CPUs=2
PartitionName=low Nodes=n[1-4] OverSubscribe=FORCE:1 Default=YES
PartitionName=yes Nodes=n8 OverSubscribe=YES
PartitionName=high5 Nodes=n8 PriorityTier=5 OverSubscribe=YES
PartitionName=high6 Nodes=n8 PriorityTier=5 OverSubscribe=FORCE:1
PartitionName=no Nodes=n[5-7] OverSubscribe=NO
PartitionName=high1 Nodes=n1 PriorityTier=5 OverSubscribe=FORCE:1
PartitionName=high2 Nodes=n2,n5 PriorityTier=5 OverSubscribe=NO
PartitionName=high3 Nodes=n3,n6 PriorityTier=5 OverSubscribe=YES:4
PartitionName=high4 Nodes=n4,n7 PriorityTier=5 OverSubscribe=EXCLUSIVE
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
at 1s submit -n2 -w n1 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit -n2 -w n2 --runs 100s
> job 2
> at 1s launch job 2 on n2
at 1s submit -n2 -w n3 --runs 100s
> job 3
> at 1s launch job 3 on n3
at 1s submit -n2 -w n4 --runs 100s
> job 4
> at 1s launch job 4 on n4
at 10s submit -n2 -p high1 --exclusive --runs 20s
> job 5
> at 10s freeze job 1 on n1
at 10s submit -n1 -p high2 -w n2 --runs 20s
> job 6
> at 10s freeze job 2 on n2
at 10s submit -n2 -p high3 -w n3 --runs 20s
> job 7
> at 10s freeze job 3 on n3
at 10s submit -n2 -p high4 -w n4 --runs 20s
> job 8
at 12s show jobs
> at 10.001s launch job 5 on n1
> at 10.001s launch job 6 on n2
> at 10.001s launch job 7 on n3
>  1 low    S   0:09 1 n1
>  2 low    S   0:09 1 n2
>  3 low    S   0:09 1 n3
>  4 low    R   0:11 1 n4
>  5 high1  R   0:01 1 n1
>  6 high2  R   0:01 1 n2
>  7 high3  R   0:01 1 n3
>  8 high4  PD  0:00 1 (Resources)
No other job comes on the nodes of those that stand still, and they go on.
at 12s submit -n1 --runs 20s
> job 9
at 13s submit -n1 -p high2 -w n2 --runs 20s
> job 10
> at 13s launch job 10 on n2
at 14s show jobs
>  1 low    S   0:09 1 n1
>  2 low    S   0:09 1 n2
>  3 low    S   0:09 1 n3
>  4 low    R   0:13 1 n4
>  5 high1  R   0:03 1 n1
>  6 high2  R   0:03 1 n2
>  7 high3  R   0:03 1 n3
>  8 high4  PD  0:00 1 (Resources)
>  9 low    PD  0:00 1 (Resources)
> 10 high2  R   0:01 1 n2
at 200s show jobs
> at 30.001s job 5 COMPLETED
> at 30.001s terminate job 5 on n1
> at 30.001s job 6 COMPLETED
> at 30.001s terminate job 6 on n2
> at 30.001s job 7 COMPLETED
> at 30.001s terminate job 7 on n3
> at 30.002s thaw job 1 on n1
> at 30.002s thaw job 3 on n3
> at 33s job 10 COMPLETED
> at 33s terminate job 10 on n2
> at 33.001s thaw job 2 on n2
> at 101s job 4 COMPLETED
> at 101s terminate job 4 on n4
> at 101.001s launch job 8 on n4
> at 121.001s job 8 COMPLETED
> at 121.001s terminate job 8 on n4
> at 121.002s job 1 COMPLETED
> at 121.002s terminate job 1 on n1
> at 121.002s job 3 COMPLETED
> at 121.002s terminate job 3 on n3
> at 121.002s launch job 9 on n4
> at 124.001s job 2 COMPLETED
> at 124.001s terminate job 2 on n2
> at 141.002s job 9 COMPLETED
> at 141.002s terminate job 9 on n4
Where sharing is forbidden no job is suspended, as Slurm's manual has it.  (Slurm 22.05 itself suspends in a partition with NO for one with NO, and not for one with FORCE:1.)
at 200s submit -n2 -p no -w n5 --runs 50s
> job 11
> at 200s launch job 11 on n5
at 200s submit -n2 -p no -w n6 --runs 50s
> job 12
> at 200s launch job 12 on n6
at 200s submit -n2 -p no -w n7 --runs 50s
> job 13
> at 200s launch job 13 on n7
at 210s submit -n2 -p high3 -w n6 --runs 20s
> job 14
at 210s submit -n2 -p high4 -w n7 --runs 20s
> job 15
at 220s show jobs
> 11 no     R   0:20 1 n5
> 12 no     R   0:20 1 n6
> 13 no     R   0:20 1 n7
> 14 high3  PD  0:00 1 (Resources)
> 15 high4  PD  0:00 1 (Resources)
OverSubscribe=YES of the victim's partition: both jobs have asked for it, or the preemptor's partition has FORCE. Slurm 22.05 does the same.
at 500s submit -n2 -p yes --runs 100s
> at 250s job 11 COMPLETED
> at 250s terminate job 11 on n5
> at 250s job 12 COMPLETED
> at 250s terminate job 12 on n6
> at 250s job 13 COMPLETED
> at 250s terminate job 13 on n7
> at 250.001s launch job 14 on n6
> at 250.001s launch job 15 on n7
> at 270.001s job 14 COMPLETED
> at 270.001s terminate job 14 on n6
> at 270.001s job 15 COMPLETED
> at 270.001s terminate job 15 on n7
> job 16
> at 500s launch job 16 on n8
at 501s submit -n2 -s -p high5 --runs 20s
> job 17
at 502s show jobs
> 16 yes    R   0:02 1 n8
> 17 high5  PD  0:00 1 (Resources)
at 700s submit -n2 -s -p yes --runs 100s
> at 600s job 16 COMPLETED
> at 600s terminate job 16 on n8
> at 600.001s launch job 17 on n8
> at 620.001s job 17 COMPLETED
> at 620.001s terminate job 17 on n8
> job 18
> at 700s launch job 18 on n8
at 701s submit -n2 -p high5 --runs 20s
> job 19
at 702s show jobs
> 18 yes    R   0:02 1 n8
> 19 high5  PD  0:00 1 (Resources)
at 900s submit -n2 -s -p yes --runs 100s
> at 800s job 18 COMPLETED
> at 800s terminate job 18 on n8
> at 800.001s launch job 19 on n8
> at 820.001s job 19 COMPLETED
> at 820.001s terminate job 19 on n8
> job 20
> at 900s launch job 20 on n8
at 901s submit -n2 -s -p high5 --runs 20s
> job 21
> at 901s freeze job 20 on n8
at 902s show jobs
> at 901.001s launch job 21 on n8
> 20 yes    S   0:01 1 n8
> 21 high5  R   0:00 1 n8
at 1100s submit -n2 -s -p yes --runs 100s
> at 921.001s job 21 COMPLETED
> at 921.001s terminate job 21 on n8
> at 921.002s thaw job 20 on n8
> at 1020.002s job 20 COMPLETED
> at 1020.002s terminate job 20 on n8
> job 22
> at 1100s launch job 22 on n8
at 1101s submit -n2 -p high6 --runs 20s
> job 23
> at 1101s freeze job 22 on n8
at 1102s show jobs
> at 1101.001s launch job 23 on n8
> 22 yes    S   0:01 1 n8
> 23 high6  R   0:00 1 n8
at 1300s show jobs
> at 1121.001s job 23 COMPLETED
> at 1121.001s terminate job 23 on n8
> at 1121.002s thaw job 22 on n8
> at 1220.002s job 22 COMPLETED
> at 1220.002s terminate job 22 on n8
