--test-only of a heterogeneous job counts what others hold of the layers of its nodes, also where it would stop others.
conf
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - nodes: ["n[1-2]"]
resources.yaml       count: 4
resources.yaml     - nodes: ["n[3-4]"]
resources.yaml       count: 4
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=INFINITE
PartitionName=high Nodes=n[1-4] PriorityTier=2 MaxTime=INFINITE
end
at 0s submit -w n1 -N1 --exclusive -t 20m --runs 1200s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1
> at 0s launch job 1 on n1
at 0s submit -w n2 -p high -N1 --exclusive -L flat:4 -t 10m --runs 600s
> job 2
> at 0s launch job 2 on n2
at 1s estimate -p high -w n1 --exclusive -t 10m -L flat:2
> in 00:19:59 on n1, 4 CPUs
at 1s estimate -p high -w n1 --exclusive -t 10m -L flat:2 : -p high -w n3 -N1 -n1
> in 00:19:59 on n[1,3], 5 CPUs
