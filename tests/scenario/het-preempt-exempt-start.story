A heterogeneous preemptor that may not stop others yet (PreemptExemptTime) is shown with the start that it will have: when the victims of all components have run for that, and for their GraceTime.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PreemptExemptTime=1:00
NodeName=n[1-4] CPUs=8
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 GraceTime=10
PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF
PartitionName=few Nodes=n3 PriorityTier=10 PreemptMode=OFF
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s submit -N1 --exclusive -w n1 -t 60m --runs 3000s
> job 1
> at 0s launch job 1 on n1
at 0s submit -N1 --exclusive -w n2 -t 60m --runs 3000s
> job 2
> at 0s launch job 2 on n2
at 3s submit -N1 --exclusive -w n3 -t 60m --runs 3000s
> job 3
> at 3s launch job 3 on n3
at 5s submit -N1 --exclusive -w n4 -t 60m --runs 3000s
> job 4
> at 5s launch job 4 on n4
at 6s estimate -p high -N1 --exclusive -t 5m : -p high -N1 --exclusive -t 5m
> in 00:01:04 on n[1-2], 16 CPUs, with victims
at 6s estimate -p high -N1 --exclusive -t 5m : -p few -N1 --exclusive -t 5m
> in 00:01:07 on n[1,3], 16 CPUs, with victims
at 6s estimate -p high -N3 --exclusive -t 5m : -p few -N1 --exclusive -t 5m
> in 00:01:09 on n[1-4], 32 CPUs, with victims
at 7s submit -p high -N1 -w n1 --exclusive -t 5m --runs 10s : -p few -N1 --exclusive -t 5m --runs 10s
> job 5, with components up to 6
at 8s show plan
> 5 at 3603s on n1 until 3903s
> 5 is expected at 73s on n1 by preemption
> 6 at 3603s on n3 until 3903s
> 6 is expected at 73s on n3 by preemption
Of the partitions that it names the one counts in which a job starts first; nodes on which a job before it is expected are left to that.
at 9s submit -p high,few -N1 -x n1 --exclusive -t 5m --runs 10s
> job 7
at 10s show plan
> 5 at 3603s on n1 until 3903s
> 5 is expected at 73s on n1 by preemption
> 7 at 3600s on n2 until 3900s in high
> 7 is expected at 70s on n2 by preemption
> 6 at 3603s on n3 until 3903s
> 6 is expected at 73s on n3 by preemption
at 10s estimate -p high -N1 --exclusive -t 5m
> in 00:01:05 on n4, 8 CPUs, with victims
at 10s estimate -p high -N1 --exclusive -t 5m : -p few -N1 --exclusive -t 5m
> in 01:04:53 on n[1,3], 16 CPUs
The next controller says so, too.
at 12s kill
at 13s show plan
> 5 at 3603s on n1 until 3903s
> 5 is expected at 73s on n1 by preemption
> 7 at 3600s on n2 until 3900s in high
> 7 is expected at 70s on n2 by preemption
> 6 at 3603s on n3 until 3903s
> 6 is expected at 73s on n3 by preemption
at 90s show jobs
> at 60s signal job 2 on n2
> at 60s signal job 2 on n2
> at 63s signal job 1 on n1
> at 63s signal job 1 on n1
> at 63s signal job 3 on n3
> at 63s signal job 3 on n3
> at 70s job 2 PREEMPTED
> at 70s terminate job 2 on n2
> at 70.001s launch job 7 on n2
> at 73s job 1 PREEMPTED
> at 73s terminate job 1 on n1
> at 73s job 3 PREEMPTED
> at 73s terminate job 3 on n3
> at 73.001s launch job 5 on n1
> at 80.001s job 7 COMPLETED
> at 80.001s terminate job 7 on n2
> at 83.001s job 5 COMPLETED
> at 83.001s terminate job 5 on n1
> at 83.001s job 6 COMPLETED
>  4 low    R   1:25 1 n4
at 110s show jobs
>  4 low    R   1:45 1 n4
