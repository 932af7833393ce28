S4: two nodes are free, three are needed: one job is stopped, not three.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-5] CPUs=2
PartitionName=DEFAULT Nodes=n[1-5] OverSubscribe=FORCE:1
PartitionName=active PriorityTier=1 Default=YES
PartitionName=hipri PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 0s submit -N1 -n2 --runs 60s
> job 1
> at 0s launch job 1 on n1
at 0.5s submit -N1 -n2 --runs 60s
> job 2
> at 0.5s launch job 2 on n2
at 1s submit -N1 -n2 --runs 60s
> job 3
> at 1s launch job 3 on n3
at 3s submit -N3 -n6 -p hipri --runs 20s
> job 4
> at 3s freeze job 1 on n1
at 4s show jobs
> at 3.001s launch job 4 on n1
>  1 active S   0:03 1 n1
>  2 active R   0:03 1 n2
>  3 active R   0:03 1 n3
>  4 hipri  R   0:00 3 n[1,4-5]
at 200s show jobs
> at 23.001s job 4 COMPLETED
> at 23.001s terminate job 4 on n1
> at 23.002s thaw job 1 on n1
> at 60.5s job 2 COMPLETED
> at 60.5s terminate job 2 on n2
> at 61s job 3 COMPLETED
> at 61s terminate job 3 on n3
> at 80.002s job 1 COMPLETED
> at 80.002s terminate job 1 on n1
Of several jobs on each node the node with the fewest is taken.
at 200s submit -n1 -w n1 --runs 100s
> job 5
> at 200s launch job 5 on n1
at 200s submit -n1 -w n1 --runs 100s
> job 6
> at 200s launch job 6 on n1
at 200s submit -n2 -w n2 --runs 100s
> job 7
> at 200s launch job 7 on n2
at 200s submit -n1 -w n3 --runs 100s
> job 8
> at 200s launch job 8 on n3
at 200s submit -n1 -w n3 --runs 100s
> job 9
> at 200s launch job 9 on n3
at 200s submit -N2 -n4 -w n[4-5] --runs 100s
> job 10
> at 200s launch job 10 on n4
at 210s submit -N1 -n2 -p hipri --runs 10s
> job 11
> at 210s freeze job 7 on n2
at 211s show jobs
> at 210.001s launch job 11 on n2
>  5 active R   0:11 1 n1
>  6 active R   0:11 1 n1
>  7 active S   0:10 1 n2
>  8 active R   0:11 1 n3
>  9 active R   0:11 1 n3
> 10 active R   0:11 2 n[4-5]
> 11 hipri  R   0:00 1 n2
