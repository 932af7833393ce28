sbatch --test-only of heterogeneous jobs: when and where all components would start, at the same instant.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=n[1-6] Default=YES MaxTime=120 GraceTime=60
PartitionName=few Nodes=n[1-2]
PartitionName=high Nodes=n[1-6] PriorityTier=10
PartitionName=down Nodes=n[1-6] State=DOWN
Licenses=a:2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 1s estimate -N2 -n3 : -N1 -n2
> in 00:00:00 on n[1-3], 5 CPUs
at 1s estimate -N4 : -N2 -p few
> in 00:00:00 on n[1-6], 6 CPUs
at 1s estimate -N5 : -N2 -p few
> not on these nodes
at 1s estimate -N1 : -N3 -p few
> not on these nodes
at 1s estimate -N1 : -L a:1
> refused: Invalid license specification (1: license request allowed only on leader job)
at 1s estimate -N1 : --array 1-2
> refused: Invalid job array specification
at 1s estimate -N1 : -N1 --begin 100s
> in 00:01:40 on n[1-2], 2 CPUs
Jobs that run until their limits are waited for; each component has nodes of its own.
at 10s submit -N2 -w n[1-2] --exclusive -t 1h --runs 1h
> job 1
> at 10s launch job 1 on n1
at 10s submit -N3 -w n[3-5] --exclusive -t 30m --runs 30m
> job 2
> at 10s launch job 2 on n3
at 11s estimate -N1
> in 00:00:00 on n6, 1 CPUs
at 11s estimate -N1 : -N1
> in 00:29:59 on n[3-4], 2 CPUs
at 11s estimate -N3 : -N1
> in 00:29:59 on n[3-6], 4 CPUs
at 11s estimate -N3 : -N1 -p few
> in 00:59:59 on n[1-4], 4 CPUs
at 11s estimate -p p,few -N1 : -N1 -p few,p
> in 00:29:59 on n[3-4], 2 CPUs
With others stopped, after their GraceTime.
at 12s estimate -p high -N2 : -p high -N2
> in 00:01:00 on n[3-6], 4 CPUs, with victims
A license in use.
at 13s submit -N1 -w n6 -L a:2 -t 10m --runs 10m
> job 3
> at 13s launch job 3 on n6
at 14s estimate -N1 -w n6 -L a:1 : -N1
> in 00:29:56 on n[3,6], 2 CPUs
Behind what waits.
at 15s submit -N6 --exclusive -t 1h --runs 1h
> job 4
at 16s estimate -N1 -t 2h : -N1 -t 1h
> in 01:59:54 on n[1-2], 2 CPUs
at 16s estimate -N1 -t 5m : -N1 -t 5m
> in 00:29:54 on n[3-4], 2 CPUs
at 16s estimate -N1 -t 5m : -N2 -t 5m
> in 00:29:54 on n[3-5], 3 CPUs
Nothing of it is left, and no id is taken.
at 17s submit -N1 -t 1h
> job 5
at 18s show plan
> 4 at 3610s on n[1-6] until 7210s
> 5 at 7210s on n1 until 10810s
