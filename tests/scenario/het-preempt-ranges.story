A component with a range of nodes (-N1-5) takes no free node that another component needs, stops no job for more than its least, and has all the rest: also where all start at once, beside jobs that are suspended.
conf
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-7] CPUs=4
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=a Nodes=n[1-5] PriorityTier=10 OverSubscribe=FORCE:1
PartitionName=b Nodes=n[1-6] PriorityTier=10 OverSubscribe=FORCE:1
PartitionName=one Nodes=n7 PriorityTier=10 OverSubscribe=FORCE:1
PartitionName=c Nodes=n[1-4,7] PriorityTier=10 OverSubscribe=FORCE:1
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
at 0s submit -N1 --exclusive -w n6 --runs 1000s
> job 1
> at 0s launch job 1 on n6
at 0s submit -N1 --exclusive -w n7 --runs 1000s
> job 2
> at 0s launch job 2 on n7
at 1s submit -N1-5 -p a --exclusive --runs 10s : -N1 -p b --exclusive : -N1 -p one --exclusive
> job 3, with components up to 5
> at 1s freeze job 2 on n7
at 2s show jobs
> at 1.001s launch job 3 on n1
>  1 low    R   0:02 1 n6
>  2 low    S   0:01 1 n7
>  3 a      R   0:00 4 n[1-4]
>  4 b      R   0:00 1 n5
>  5 one    R   0:00 1 n7
at 20s submit -N1-5 --exclusive -p a --runs 10s : -N2 -p b --exclusive : -N1 -p one --exclusive
> at 11.001s job 3 COMPLETED
> at 11.001s terminate job 3 on n1
> at 11.001s job 4 COMPLETED
> at 11.001s job 5 COMPLETED
> at 11.001s thaw job 2 on n7
> job 6, with components up to 8
> at 20s freeze job 2 on n7
at 21s show jobs
> at 20.001s launch job 6 on n3
>  1 low    R   0:21 1 n6
>  2 low    S   0:09 1 n7
>  6 a      R   0:00 3 n[3-5]
>  7 b      R   0:00 2 n[1-2]
>  8 one    R   0:00 1 n7
Of two ranges the first one has more.
at 40s submit -N1-5 -p a --exclusive --runs 10s : -N1-4 --exclusive -p b : -N1 -p one --exclusive
> at 30.001s job 6 COMPLETED
> at 30.001s terminate job 6 on n3
> at 30.001s job 7 COMPLETED
> at 30.001s job 8 COMPLETED
> at 30.001s thaw job 2 on n7
> job 9, with components up to 11
> at 40s freeze job 2 on n7
at 41s show jobs
> at 40.001s launch job 9 on n1
>  1 low    R   0:41 1 n6
>  2 low    S   0:19 1 n7
>  9 a      R   0:00 4 n[1-4]
> 10 b      R   0:00 1 n5
> 11 one    R   0:00 1 n7
at 59s submit -N1 --exclusive -w n5 --runs 1000s
> at 50.001s job 9 COMPLETED
> at 50.001s terminate job 9 on n1
> at 50.001s job 10 COMPLETED
> at 50.001s job 11 COMPLETED
> at 50.001s thaw job 2 on n7
> job 12
> at 59s launch job 12 on n5
at 60s submit -N2-4 -p a --exclusive --runs 10s : -N1-5 --exclusive -p c : -N1 -p one --exclusive
> job 13, with components up to 15
> at 60s freeze job 2 on n7
at 61s show jobs
> at 60.001s launch job 13 on n2
>  1 low    R   1:01 1 n6
>  2 low    S   0:29 1 n7
> 12 low    R   0:02 1 n5
> 13 a      R   0:00 3 n[2-4]
> 14 c      R   0:00 1 n1
> 15 one    R   0:00 1 n7
at 80s show jobs
> at 70.001s job 13 COMPLETED
> at 70.001s terminate job 13 on n2
> at 70.001s job 14 COMPLETED
> at 70.001s job 15 COMPLETED
> at 70.001s thaw job 2 on n7
>  1 low    R   1:20 1 n6
>  2 low    R   0:39 1 n7
> 12 low    R   0:21 1 n5
