Topologies by name: each partition goes by its own, and a node is where its line, or the one with which it joins, says.
conf
SelectType=select/linear
MaxNodeCount=10
NodeName=n[1-5] CPUs=2
NodeName=n6 CPUs=2 Topology=tree:top:s3
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=even Nodes=ALL Topology=even MaxTime=1000
PartitionName=halls Nodes=ALL Topology=halls MaxTime=1000
topology.conf SwitchName=wrong Nodes=n1
topology.yaml - topology: even
topology.yaml   flat: true
topology.yaml - topology: tree
topology.yaml   cluster_default: true
topology.yaml   tree:
topology.yaml     switches:
topology.yaml     - {switch: s1, nodes: 'n[1,4]'}
topology.yaml     - {switch: s2, nodes: 'n[2-3,5-6]'}
topology.yaml     - {switch: top, children: 's[1-2]'}
topology.yaml - topology: halls
topology.yaml   tree:
topology.yaml     switches:
topology.yaml     - {switch: h1, nodes: 'n[1-3]'}
topology.yaml     - {switch: h2, nodes: 'n[4-6]'}
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
By the usual topology, s1 and s2 below top; n6 is on s3 instead of s2.
at 1s submit -N2 --runs 10s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N2 --runs 10s
> job 2
> at 1s launch job 2 on n2
at 1s submit -N1 --runs 10s
> job 3
> at 1s launch job 3 on n5
at 2s show jobs
>  1 p      R   0:01 2 n[1,4]
>  2 p      R   0:01 2 n[2-3]
>  3 p      R   0:01 1 n5
By names alone.
at 20s submit -p even -N2 --runs 10s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> at 11s job 2 COMPLETED
> at 11s terminate job 2 on n2
> at 11s job 3 COMPLETED
> at 11s terminate job 3 on n5
> job 4
> at 20s launch job 4 on n1
at 20s submit -p even -N2 --runs 10s
> job 5
> at 20s launch job 5 on n3
at 21s show jobs
>  4 even   R   0:01 2 n[1-2]
>  5 even   R   0:01 2 n[3-4]
Nothing connects the halls.
at 40s submit -p halls -N2 -w n3 --runs 10s
> at 30s job 4 COMPLETED
> at 30s terminate job 4 on n1
> at 30s job 5 COMPLETED
> at 30s terminate job 5 on n3
> job 6
> at 40s launch job 6 on n1
at 41s show jobs
>  6 halls  R   0:01 2 n[1,3]
at 41s submit -p halls -N4 --runs 10s
> refused: Requested node configuration is not available
A node joins with its place, also below a switch that no file has.
at 60s join NodeName=d1 CPUs=2 Topology=tree:s1
> at 50s job 6 COMPLETED
> at 50s terminate job 6 on n1
at 60s join NodeName=d2 CPUs=2 Topology=tree:top:s4,halls:h2
at 60s join NodeName=d3 CPUs=2 Topology=tree:s9
> refused: node d3: Topology=tree:s9: topology tree has no leaf switch s9 (one that no file has is named with those above it, as top:leaf)
at 60s join NodeName=d4 CPUs=2 Topology=nope:s1
> refused: node d4: Topology=nope:s1: there is no topology nope
at 90s submit -N3 --runs 10s
> job 7
> at 90s launch job 7 on n1
at 91s submit -p halls -N3 -w d2 --runs 10s
> job 8
at 92s show jobs
>  7 p      R   0:02 3 n[1,4],d1
>  8 halls  PD  0:00 3 (Resources)
at 102s show jobs
> at 100s job 7 COMPLETED
> at 100s terminate job 7 on n1
> at 100s launch job 8 on n4
>  8 halls  R   0:02 3 n[4-5],d2
The next controller knows them.
at 110s kill
> at 110s job 8 COMPLETED
> at 110s terminate job 8 on n4
at 130s submit -p halls -N3 -w d2 --runs 10s
> job 9
> at 130s launch job 9 on n4
at 131s show jobs
>  9 halls  R   0:01 3 n[4-5],d2
at 150s show jobs
> at 140s job 9 COMPLETED
> at 140s terminate job 9 on n4
Another file: the place of d1 is gone, and it with it from the tree.
conf
SelectType=select/linear
MaxNodeCount=10
NodeName=n[1-6] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=even Nodes=ALL MaxTime=1000
PartitionName=halls Nodes=ALL MaxTime=1000
topology.yaml - topology: tree
topology.yaml   tree: {switches: [{switch: s2, nodes: 'n[1-6]'}]}
end
at 160s submit -N6 --runs 10s
> job 10
> at 160s launch job 10 on n1
at 160s submit -N1 -w d1 --runs 10s
> refused: Requested node configuration is not available
at 161s show jobs
> 10 p      R   0:01 6 n[1-6]
