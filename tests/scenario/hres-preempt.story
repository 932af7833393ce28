PreemptParameters=reclaim_licenses with hierarchical resources: what victims hold of layers counts as free with their nodes.
conf
SelectType=select/linear
SchedulerType=sched/backfill
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PreemptParameters=reclaim_licenses
NodeName=n[1-4] CPUs=1
PartitionName=DEFAULT Nodes=n[1-4] MaxTime=INFINITE
PartitionName=low Default=YES PriorityTier=1 PreemptMode=CANCEL
PartitionName=left PriorityTier=2 Nodes=n[1-2] PreemptMode=OFF
PartitionName=high PriorityTier=2 PreemptMode=OFF
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 8}
resources.yaml     - {nodes: ["n[1-2]"], count: 4}
resources.yaml     - {nodes: ["n[3-4]"], count: 4}
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 4}
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
The nodes and the layer are both job 1's; n[3-4] have some left, but no node.
at 1s submit -N2 -w n[1-2] -L flat:4 -t 1000s --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N2 -w n[3-4] -L flat:2 -t 1000s --runs 1000s
> job 2
> at 1s launch job 2 on n3
What sbatch --test-only says of such a job is what comes of it: with a victim it starts now.
at 2s estimate -N2 -p left -L flat:3 -t 100s
> in 00:00:00 on n[1-2], 2 CPUs, with victims
at 2s estimate -N2 -L flat:3 -t 100s
> in 00:16:39 on n[1-2], 2 CPUs
at 2s submit -N2 -p left -L flat:3 -t 100s --runs 20s
> job 3
> at 2s job 1 PREEMPTED
> at 2s terminate job 1 on n1
at 3s show licenses
> at 2.001s launch job 3 on n1
> flat(n[1-2]) 3 of 4
> flat(n[1-4]) 5 of 8
> flat(n[3-4]) 2 of 4
> power(n[1-4]) 0 of 4
>  job 2 has flat(n[1-4]):2,flat(n[3-4]):2
>  job 3 has flat(n[1-4]):3,flat(n[1-2]):3
at 3s show jobs
>  2 low    R   0:02 2 n[3-4]
>  3 left   R   0:00 2 n[1-2]
at 30s show jobs
> at 22.001s job 3 COMPLETED
> at 22.001s terminate job 3 on n1
>  2 low    R   0:29 2 n[3-4]
The layer is held on a node that the preemptor does not need: that job ends, for its layer; the other keeps its node.
at 40s cancel 2
> at 40s job 2 CANCELLED
> at 40s terminate job 2 on n3
at 41s submit -N1 -w n1 -L flat:4 -t 1000s --runs 1000s
> job 4
> at 41s launch job 4 on n1
at 41s submit -N1 -w n3 -L flat:1 -t 1000s --runs 1000s
> job 5
> at 41s launch job 5 on n3
at 42s submit -N1 -p left -L flat:2 -t 100s --runs 20s
> job 6
> at 42s job 4 PREEMPTED
> at 42s terminate job 4 on n1
at 43s show jobs
> at 42.001s launch job 6 on n1
>  5 low    R   0:02 1 n3
>  6 left   R   0:00 1 n1
at 43s show licenses
> flat(n[1-2]) 2 of 4
> flat(n[1-4]) 3 of 8
> flat(n[3-4]) 1 of 4
> power(n[1-4]) 0 of 4
>  job 5 has flat(n[1-4]):1,flat(n[3-4]):1
>  job 6 has flat(n[1-4]):2,flat(n[1-2]):2
at 80s cancel 5
> at 62.001s job 6 COMPLETED
> at 62.001s terminate job 6 on n1
> at 80s job 5 CANCELLED
> at 80s terminate job 5 on n3
MODE_3, of which a job needs some for each of its nodes: as many end as hold enough, no more.
at 90s submit -N1 -w n1 -L power:1 -t 1000s --runs 1000s
> job 7
> at 90s launch job 7 on n1
at 90s submit -N1 -w n2 -L power:1 -t 1000s --runs 1000s
> job 8
> at 90s launch job 8 on n2
at 90s submit -N1 -w n4 -L power:2 -t 1000s --runs 1000s
> job 9
> at 90s launch job 9 on n4
at 91s submit -N2 -p high -L power:1 -t 100s --runs 20s
> job 10
> at 91s job 9 PREEMPTED
> at 91s terminate job 9 on n4
at 92s show jobs
> at 91.001s launch job 10 on n3
>  7 low    R   0:02 1 n1
>  8 low    R   0:02 1 n2
> 10 high   R   0:00 2 n[3-4]
at 92s show licenses
> flat(n[1-2]) 0 of 4
> flat(n[1-4]) 0 of 8
> flat(n[3-4]) 0 of 4
> power(n[1-4]) 4 of 4
>  job 7 has power(n[1-4]):1
>  job 8 has power(n[1-4]):1
>  job 10 has power(n[1-4]):2
A heterogeneous job takes nodes and a layer.
at 150s submit -N1 -p high -L power:3 -t 100s --runs 20s : -N3 -p high
> at 111.001s job 10 COMPLETED
> at 111.001s terminate job 10 on n3
> job 11, with components up to 12
> at 150s job 7 PREEMPTED
> at 150s terminate job 7 on n1
> at 150s job 8 PREEMPTED
> at 150s terminate job 8 on n2
at 151s show jobs
> at 150.001s launch job 11 on n1
> 11 high   R   0:00 1 n1
> 12 high   R   0:00 3 n[2-4]
at 151s show licenses
> flat(n[1-2]) 0 of 4
> flat(n[1-4]) 0 of 8
> flat(n[3-4]) 0 of 4
> power(n[1-4]) 3 of 4
>  job 11 has power(n[1-4]):3
at 200s show jobs
> at 170.001s job 11 COMPLETED
> at 170.001s terminate job 11 on n1
> at 170.001s job 12 COMPLETED
Its nodes are free; the layer is held on another one.
at 210s submit -N1 -w n4 -L power:4 -t 1000s --runs 1000s
> job 13
> at 210s launch job 13 on n4
at 210s submit -N1 -w n3 -t 1000s --runs 1000s
> job 14
> at 210s launch job 14 on n3
at 211s submit -N1 -p left -L power:1 -t 100s --runs 20s
> job 15
> at 211s job 13 PREEMPTED
> at 211s terminate job 13 on n4
at 212s show jobs
> at 211.001s launch job 15 on n1
> 14 low    R   0:02 1 n3
> 15 left   R   0:00 1 n1
Without reclaim_licenses layers are waited for.
conf
SelectType=select/linear
SchedulerType=sched/backfill
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-4] CPUs=1
PartitionName=DEFAULT Nodes=n[1-4] MaxTime=INFINITE
PartitionName=low Default=YES PriorityTier=1 PreemptMode=CANCEL
PartitionName=high PriorityTier=2 PreemptMode=OFF
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 4}
end
> refused: partition left has job 15 and cannot be taken out
at 1200s submit -N4 -L flat:4 -t 1000s --runs 100s
> at 231.001s job 15 COMPLETED
> at 231.001s terminate job 15 on n1
> job 16
at 1201s submit -N1 -p high -L flat:1 -t 100s --runs 10s
> job 17
> at 1201s launch job 17 on n1
at 1202s show jobs
> 14 low    R  16:32 1 n3
> 16 low    PD  0:00 4 (Licenses)
> 17 high   R   0:01 1 n1
at 1400s show jobs
> at 1210s job 14 TIMEOUT
> at 1210s terminate job 14 on n3
> at 1211s job 17 COMPLETED
> at 1211s terminate job 17 on n1
> at 1211.001s launch job 16 on n1
> at 1311.001s job 16 COMPLETED
> at 1311.001s terminate job 16 on n1
