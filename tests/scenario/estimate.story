sbatch --test-only: when and where a job would start, and nothing is kept of it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
NodeName=n[1-4] CPUs=4 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL DefMemPerNode=100
PartitionName=p Default=YES MaxTime=60
PartitionName=high PriorityTier=2
PartitionName=down State=DOWN
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s estimate -N2 -n3
> in 00:00:00 on n[1-2], 3 CPUs
at 1s estimate -N5
> never: PartitionNodeLimit
at 1s estimate -t 7200s
> never: PartitionTimeLimit
at 1s estimate -p down
> never: PartitionDown
at 1s estimate --mem 2000
> refused: Requested node configuration is not available (Memory specification can not be satisfied)
at 1s estimate --begin 100s
> in 00:01:40 on n1, 1 CPUs
at 1s submit -N1 -n4 -t 600s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N2 -n8 -t 300s
> job 2
> at 1s launch job 2 on n2
at 1s submit -N1 -n4
> job 3
> at 1s launch job 3 on n4
Those in its way run until their limits; the first ends that are enough decide.
at 61s estimate -n1
> in 00:04:00 on n2, 1 CPUs
at 61s estimate -N3
> in 00:09:00 on n[1-3], 3 CPUs
at 61s estimate -w n4
> in 00:59:00 on n4, 1 CPUs
at 61s estimate -N4
> in 00:59:00 on n[1-4], 4 CPUs
at 61s estimate -p high -N4
> in 00:00:00 on n[1-4], 4 CPUs, with victims
A job that waits counts: it has its place in the plan.
at 61s submit -N4
> job 4
at 61s estimate -N2
> in 00:04:00 on n[2-3], 2 CPUs
What is out of service does not come back for it.
at 62s admin n2 drain r
at 62s estimate -N4
> not on these nodes
at 63s show jobs
>  1 p      R   1:02 1 n1
>  2 p      R   1:02 2 n[2-3]
>  3 p      R   1:02 1 n4
>  4 p      PD  0:00 4 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
