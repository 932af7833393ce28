PreemptMode=SUSPEND with select/linear and preempt/partition_prio: the tiers are all that is asked for, whatever OverSubscribe says of either partition.  Slurm 22.05 does the same.
conf
SelectType=select/linear
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-4] CPUs=2
PartitionName=DEFAULT Nodes=ALL
PartitionName=low-no OverSubscribe=NO Default=YES
PartitionName=low-yes OverSubscribe=YES:2
PartitionName=low-force OverSubscribe=FORCE:1
PartitionName=low-excl OverSubscribe=EXCLUSIVE
PartitionName=DEFAULT PriorityTier=5
PartitionName=no OverSubscribe=NO
PartitionName=yes OverSubscribe=YES:2
PartitionName=force OverSubscribe=FORCE:1
PartitionName=excl OverSubscribe=EXCLUSIVE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -p low-no -w n1 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit -p low-yes -w n2 --runs 100s
> job 2
> at 1s launch job 2 on n2
at 1s submit -p low-force -w n3 --runs 100s
> job 3
> at 1s launch job 3 on n3
at 1s submit -p low-excl -w n4 --runs 100s
> job 4
> at 1s launch job 4 on n4
at 10s submit -p excl -w n1 --runs 10s
> job 5
> at 10s freeze job 1 on n1
at 10s submit -p no -w n2 --runs 10s
> job 6
> at 10s freeze job 2 on n2
at 10s submit -p yes -w n3 --runs 10s
> job 7
> at 10s freeze job 3 on n3
at 10s submit -p force -w n4 --runs 10s
> job 8
> at 10s freeze job 4 on n4
at 12s show jobs
> at 10.001s launch job 5 on n1
> at 10.001s launch job 6 on n2
> at 10.001s launch job 7 on n3
> at 10.001s launch job 8 on n4
>  1 low-no S   0:09 1 n1
>  2 low-yes S   0:09 1 n2
>  3 low-force S   0:09 1 n3
>  4 low-excl S   0:09 1 n4
>  5 excl   R   0:01 1 n1
>  6 no     R   0:01 1 n2
>  7 yes    R   0:01 1 n3
>  8 force  R   0:01 1 n4
No other job of a low tier comes on those nodes, nor on those of equal tiers.
at 13s submit -p low-force --runs 10s
> job 9
at 13s submit -p force -w n1 --runs 10s
> job 10
at 14s show jobs
>  1 low-no S   0:09 1 n1
>  2 low-yes S   0:09 1 n2
>  3 low-force S   0:09 1 n3
>  4 low-excl S   0:09 1 n4
>  5 excl   R   0:03 1 n1
>  6 no     R   0:03 1 n2
>  7 yes    R   0:03 1 n3
>  8 force  R   0:03 1 n4
>  9 low-force PD  0:00 1 (Resources)
> 10 force  PD  0:00 1 (Resources)
at 25s show jobs
> at 20.001s job 5 COMPLETED
> at 20.001s terminate job 5 on n1
> at 20.001s job 6 COMPLETED
> at 20.001s terminate job 6 on n2
> at 20.001s job 7 COMPLETED
> at 20.001s terminate job 7 on n3
> at 20.001s job 8 COMPLETED
> at 20.001s terminate job 8 on n4
> at 20.002s launch job 10 on n1
> at 20.002s thaw job 2 on n2
> at 20.002s thaw job 3 on n3
> at 20.002s thaw job 4 on n4
>  1 low-no S   0:09 1 n1
>  2 low-yes R   0:13 1 n2
>  3 low-force R   0:13 1 n3
>  4 low-excl R   0:13 1 n4
>  9 low-force PD  0:00 1 (Resources)
> 10 force  R   0:04 1 n1
at 45s show jobs
> at 30.002s job 10 COMPLETED
> at 30.002s terminate job 10 on n1
> at 30.003s thaw job 1 on n1
>  1 low-no R   0:23 1 n1
>  2 low-yes R   0:33 1 n2
>  3 low-force R   0:33 1 n3
>  4 low-excl R   0:33 1 n4
>  9 low-force PD  0:00 1 (Resources)
at 200s show jobs
> at 111.002s job 2 COMPLETED
> at 111.002s terminate job 2 on n2
> at 111.002s job 3 COMPLETED
> at 111.002s terminate job 3 on n3
> at 111.002s job 4 COMPLETED
> at 111.002s terminate job 4 on n4
> at 111.003s launch job 9 on n2
> at 121.003s job 1 COMPLETED
> at 121.003s terminate job 1 on n1
> at 121.003s job 9 COMPLETED
> at 121.003s terminate job 9 on n2
