Each task of an array has its victims, at the same time, and they start in order.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
NodeName=n[1-2] CPUs=2
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES GraceTime=30
PartitionName=high PriorityTier=2
PartitionName=top PriorityTier=3
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 2000s submit -N1 -n2 --runs 1000s
> job 1
> at 2000s launch job 1 on n1
at 2001s submit -N1 -n2 --runs 1000s
> job 2
> at 2001s launch job 2 on n2
at 2002s submit -N1 -n2 -p high --array 0-2 --runs 10s
> job 3
> at 2002s signal job 2 on n2
> at 2002s signal job 2 on n2
> at 2002s signal job 1 on n1
> at 2002s signal job 1 on n1
at 2003s show jobs
>  1 low    R   0:03 1 n1
>  2 low    R   0:02 1 n2
> 3_[0-2] high   PD  0:00 1 (Resources)
at 2033s show jobs
> at 2032s job 1 PREEMPTED
> at 2032s terminate job 1 on n1
> at 2032s job 2 PREEMPTED
> at 2032s terminate job 2 on n2
> at 2032.001s launch job 4 on n1
> at 2032.001s launch job 5 on n2
> 3_[2] high   PD  0:00 1 (Resources)
> 3_0 high   R   0:00 1 n1
> 3_1 high   R   0:00 1 n2
at 2100s show jobs
> at 2042.001s job 4 COMPLETED
> at 2042.001s terminate job 4 on n1
> at 2042.001s job 5 COMPLETED
> at 2042.001s terminate job 5 on n2
> at 2042.002s launch job 3 on n1
> at 2052.002s job 3 COMPLETED
> at 2052.002s terminate job 3 on n1
Victims are named before, and when that would be over.
at 2200s submit -N2 -n4 --runs 1000s
> job 6
> at 2200s launch job 6 on n1
at 2201s estimate -p high -N1 -n1
> in 00:00:30 on n1, 1 CPUs, with victims
at 2202s show jobs
>  6 low    R   0:02 2 n[1-2]
