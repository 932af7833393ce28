Preemption guide, "two partitions, five nodes": five jobs run, a job of the higher tier takes the first three nodes,
those jobs stand still and go on when it has ended.
conf
SelectType=select/linear
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
SchedulerTimeSlice=30
NodeName=n[12-16] CPUs=1
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[12-16]
PartitionName=active PriorityTier=1 Default=YES
PartitionName=hipri PriorityTier=2
end
at 0s show nodes
> at 0s n12 registers
> at 0s n13 registers
> at 0s n14 registers
> at 0s n15 registers
> at 0s n16 registers
> n[12-16] idle
at 10s submit -N1 --runs 300s
> job 1
> at 10s launch job 1 on n12
at 10.5s submit -N1 --runs 300s
> job 2
> at 10.5s launch job 2 on n13
at 11s submit -N1 --runs 300s
> job 3
> at 11s launch job 3 on n14
at 11.2s submit -N1 --runs 300s
> job 4
> at 11.2s launch job 4 on n15
at 12s submit -N1 --runs 300s
> job 5
> at 12s launch job 5 on n16
at 16s show jobs
>  1 active R   0:06 1 n12
>  2 active R   0:05 1 n13
>  3 active R   0:05 1 n14
>  4 active R   0:04 1 n15
>  5 active R   0:04 1 n16
at 37s submit -N3 -p hipri --runs 30s
> job 6
> at 37s freeze job 1 on n12
> at 37s freeze job 2 on n13
> at 37s freeze job 3 on n14
at 40s show jobs
> at 37.001s launch job 6 on n12
>  1 active S   0:27 1 n12
>  2 active S   0:26 1 n13
>  3 active S   0:26 1 n14
>  4 active R   0:28 1 n15
>  5 active R   0:28 1 n16
>  6 hipri  R   0:02 3 n[12-14]
at 40s show nodes
> n[12-16] alloc
at 69.9s show jobs
> at 67.001s job 6 COMPLETED
> at 67.001s terminate job 6 on n12
> at 67.001s thaw job 2 on n13
> at 67.001s thaw job 3 on n14
> at 67.002s thaw job 1 on n12
>  1 active R   0:29 1 n12
>  2 active R   0:29 1 n13
>  3 active R   0:28 1 n14
>  4 active R   0:58 1 n15
>  5 active R   0:57 1 n16
at 69.9s show nodes
> n[12-16] alloc
No job is lost: all end after 300 seconds of their own.
at 500s show jobs
> at 311.2s job 4 COMPLETED
> at 311.2s terminate job 4 on n15
> at 312s job 5 COMPLETED
> at 312s terminate job 5 on n16
> at 340.002s job 1 COMPLETED
> at 340.002s terminate job 1 on n12
> at 340.501s job 2 COMPLETED
> at 340.501s terminate job 2 on n13
> at 341.001s job 3 COMPLETED
> at 341.001s terminate job 3 on n14
end of the worked example
