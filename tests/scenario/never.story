What waits and could never run any more, as its nodes have changed, is told so and delays none, until they or the job change again.
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-2] CPUs=8 RealMemory=4000 Feature=a
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s admin n1 DRAIN work
at 1s admin n2 DRAIN work
at 2s submit -n1 -c8 --runs 10s
> job 1
at 2s submit -n1 -C a --runs 10s
> job 2
at 2s submit -w n1 -n1 --mem 3000 --runs 10s
> job 3
at 2s submit -p q,p -n1 -c8 --runs 10s
> job 4
at 2s submit -n1 -c8 --array 0-1 --runs 10s
> job 5
at 2s submit -n1 --runs 10s
> job 6
at 3s show jobs
>  1 p      PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  2 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n[1-2])
>  3 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
>  4 q      PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
> 5_[0-1] p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n[1-2])
>  6 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n[1-2])
Fewer CPUs, less memory, another feature: with builtin each of the first five would hold the last one up.
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-2] CPUs=4 RealMemory=2000 Feature=b
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n2
end
at 4s show jobs
>  1 p      PD  0:00 1 (BadConstraints)
>  2 p      PD  0:00 1 (BadConstraints)
>  3 p      PD  0:00 1 (BadConstraints)
>  4 q      PD  0:00 1 (PartitionConfig)
> 5_[0-1] p      PD  0:00 1 (BadConstraints)
>  6 p      PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
at 5s admin n1 UNDRAIN
> at 5s launch job 6 on n1
at 5s admin n2 UNDRAIN
at 6s show jobs
>  1 p      PD  0:00 1 (BadConstraints)
>  2 p      PD  0:00 1 (BadConstraints)
>  3 p      PD  0:00 1 (BadConstraints)
>  4 q      PD  0:00 1 (PartitionConfig)
> 5_[0-1] p      PD  0:00 1 (BadConstraints)
>  6 p      R   0:01 1 n1
It asks for less.
at 7s update owner JobId=1 CPUsPerTask=4
> at 7s launch job 1 on n2
at 8s show jobs
>  1 p      R   0:01 1 n2
>  2 p      PD  0:00 1 (BadConstraints)
>  3 p      PD  0:00 1 (BadConstraints)
>  4 q      PD  0:00 1 (PartitionConfig)
> 5_[0-1] p      PD  0:00 1 (BadConstraints)
>  6 p      R   0:03 1 n1
And the nodes are what they were: all the others run.
at 30s
> at 15s job 6 COMPLETED
> at 15s terminate job 6 on n1
> at 17s job 1 COMPLETED
> at 17s terminate job 1 on n2
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-2] CPUs=8 RealMemory=4000 Feature=a
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n2
end
> at 30s launch job 2 on n1
> at 30s launch job 3 on n1
> at 30s launch job 4 on n2
at 31s show jobs
>  2 p      R   0:01 1 n1
>  3 p      R   0:01 1 n1
>  4 q      R   0:01 1 n2
> 5_[0-1] p      PD  0:00 1 (Resources)
at 100s show jobs
> at 40s job 2 COMPLETED
> at 40s terminate job 2 on n1
> at 40s job 3 COMPLETED
> at 40s terminate job 3 on n1
> at 40s job 4 COMPLETED
> at 40s terminate job 4 on n2
> at 40.001s launch job 7 on n1
> at 40.001s launch job 5 on n2
> at 50.001s job 7 COMPLETED
> at 50.001s terminate job 7 on n1
> at 50.001s job 5 COMPLETED
> at 50.001s terminate job 5 on n2
Nothing of that was said when it came, a limit was in its way: more nodes in its partition, but none with nine CPUs.
at 101s submit -N1 -n9 -p q
> job 8
at 102s show jobs
>  8 q      PD  0:00 1 (PartitionConfig)
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-2] CPUs=8 RealMemory=4000 Feature=a
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n[1-2]
end
at 103s submit -n1 -p q --runs 1s
> job 9
> at 103s launch job 9 on n1
at 104s show jobs
> at 104s job 9 COMPLETED
> at 104s terminate job 9 on n1
>  8 q      PD  0:00 1 (BadConstraints)
>  9 q      CG  0:01 1 n1
at 105s cancel 8
> at 105s job 8 CANCELLED
The same with backfill: features, which change under jobs that run.
conf
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-2] CPUs=8 RealMemory=4000 Feature=a
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n2
end
at 110s submit -N2 --exclusive --runs 100s -t 5m
> job 10
> at 110s launch job 10 on n1
at 111s submit -n1 -C a -t 5m --runs 10s
> job 11
at 111s submit -n1 -c8 -t 5m --runs 10s
> job 12
at 111s submit -n1 -t 5m --runs 10s
> job 13
at 112s show jobs
> 10 p      R   0:02 2 n[1-2]
> 11 p      PD  0:00 1 (Resources)
> 12 p      PD  0:00 1 (Resources)
> 13 p      PD  0:00 1 (Priority)
conf
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-2] CPUs=4 RealMemory=2000 Feature=b
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n2
end
at 113s show jobs
> 10 p      R   0:03 2 n[1-2]
> 11 p      PD  0:00 1 (BadConstraints)
> 12 p      PD  0:00 1 (Resources)
> 13 p      PD  0:00 1 (Priority)
at 113s show plan
> 11 is not planned
> 12 at 410s on n1 until 710s
> 13 at 410s on n2 until 710s
at 220s show jobs
> at 210s job 10 COMPLETED
> at 210s terminate job 10 on n1
> at 210s launch job 12 on n2
> at 210.001s launch job 13 on n1
> at 220s job 12 COMPLETED
> at 220s terminate job 12 on n2
> 11 p      PD  0:00 1 (BadConstraints)
> 12 p      CG  0:10 1 n2
> 13 p      R   0:09 1 n1
conf
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-2] CPUs=8 RealMemory=4000 Feature=a
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n2
end
> at 220s launch job 11 on n1
at 221s show jobs
> at 220.001s job 13 COMPLETED
> at 220.001s terminate job 13 on n1
> 11 p      R   0:01 1 n1
