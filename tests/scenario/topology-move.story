scontrol update NodeName= Topology= moves nodes: the list is all that counts of them, over a restart, until a reconfiguration reads the files again.
conf
SelectType=select/linear
MaxNodeCount=10
NodeName=n[1-5] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=halls Nodes=ALL Topology=halls MaxTime=1000
topology.yaml - topology: tree
topology.yaml   cluster_default: true
topology.yaml   tree:
topology.yaml     switches:
topology.yaml     - {switch: s1, nodes: 'n[1-2]'}
topology.yaml     - {switch: s2, nodes: 'n[3-5]'}
topology.yaml - topology: halls
topology.yaml   tree:
topology.yaml     switches:
topology.yaml     - {switch: h1, nodes: 'n[1-3]'}
topology.yaml     - {switch: h2, nodes: 'n[4-5]'}
topology.yaml - topology: even
topology.yaml   flat: true
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 0s tell log
at 1s submit -N3 -w n[1-3] --runs 10s
> refused: Requested node configuration is not available
at 1s update NodeName=n3 Topology=tree:s9
> refused: Invalid update specification (node n3: Topology=tree:s9: topology tree has no leaf switch s9 (one that no file has is named with those above it, as top:leaf))
at 1s update NodeName=n3 Topology=nosuch:s1
> refused: Invalid update specification (node n3: Topology=nosuch:s1: there is no topology nosuch)
at 1s update NodeName=n3 Topology=even:s1
> refused: Invalid update specification (node n3: Topology=even:s1: topology even is flat: it has no switches)
at 1s update NodeName=n[3-9] Topology=tree:s1
> refused: Invalid node name specified (node n6 is not configured)
at 1s update NodeName=n3 Topology=tree:s1
at 2s submit -N3 -w n[1-3] --runs 10s
> job 1
> at 2s log: Allocate JobId=1 NodeList=n[1-3] #CPUs=6 Partition=p
> at 2s launch job 1 on n1
at 2s submit -p halls -N2 -w n[4-5] --runs 10s
> job 2
> at 2s log: Allocate JobId=2 NodeList=n[4-5] #CPUs=4 Partition=halls
> at 2s launch job 2 on n4
It is in no hall now.
at 20s submit -p halls -N3 -w n[1-3] --runs 10s
> at 12s job 1 COMPLETED
> at 12s terminate job 1 on n1
> at 12s job 2 COMPLETED
> at 12s terminate job 2 on n4
> refused: Requested node configuration is not available
A new switch; a node of two that is refused stays where it was.
at 21s update NodeName=n[4-5] Topology=tree:top:s4,halls:h1
at 22s submit -p halls -N3 -w n[1,4-5] --runs 10s
> job 3
> at 22s log: Allocate JobId=3 NodeList=n[1,4-5] #CPUs=6 Partition=halls
> at 22s launch job 3 on n1
at 40s update NodeName=n5 Topology=tree:s1 State=RESUME
> at 32s job 3 COMPLETED
> at 32s terminate job 3 on n1
> refused: Invalid node state specified (n5 is IDLE)
at 41s submit -N4 -w n[1-3,5] --runs 10s
> refused: Requested node configuration is not available
at 60s update NodeName=n5 Topology=
at 61s submit -N4 -w n[1-3,5] --runs 10s
> refused: Requested node configuration is not available
at 62s kill
at 63s submit -N3 -w n[1-3] --runs 10s
> job 4
> at 63s log: Allocate JobId=4 NodeList=n[1-3] #CPUs=6 Partition=p
> at 63s launch job 4 on n1
at 63s submit -p halls -N2 -w n4,n1 --runs 10s
> job 5
A dynamic node is moved, too, and stays there.
at 80s join NodeName=d1 CPUs=2 Topology=tree:s2
> at 73s job 4 COMPLETED
> at 73s terminate job 4 on n1
> at 73.001s log: Allocate JobId=5 NodeList=n[1,4] #CPUs=4 Partition=halls
> at 73.001s launch job 5 on n1
at 81s update NodeName=d1 Topology=tree:s1
at 82s submit -N4 -w n[1-3],d1 --runs 10s
> job 6
conf
SelectType=select/linear
MaxNodeCount=10
NodeName=n[1-5] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=halls Nodes=ALL Topology=halls MaxTime=1000
topology.yaml - topology: tree
topology.yaml   cluster_default: true
topology.yaml   tree:
topology.yaml     switches:
topology.yaml     - {switch: s1, nodes: 'n[1-2]'}
topology.yaml     - {switch: s2, nodes: 'n[3-5]'}
topology.yaml - topology: halls
topology.yaml   tree:
topology.yaml     switches:
topology.yaml     - {switch: h1, nodes: 'n[1-3]'}
topology.yaml     - {switch: h2, nodes: 'n[4-5]'}
end
at 100s submit -N3 -w n[1-3] --runs 10s
> at 83.001s job 5 COMPLETED
> at 83.001s terminate job 5 on n1
> refused: Requested node configuration is not available
at 100s submit -N3 -w n[1-2],d1 --runs 10s
> job 7
> at 100s log: Allocate JobId=7 NodeList=n[1-2],d1 #CPUs=6 Partition=p
> at 100s launch job 7 on n1
at 100s submit -N3 -w n[3-5] --runs 10s
> job 8
> at 100s log: Allocate JobId=8 NodeList=n[3-5] #CPUs=6 Partition=p
> at 100s launch job 8 on n3
at 120s show jobs
> at 110s job 7 COMPLETED
> at 110s terminate job 7 on n1
> at 110s job 8 COMPLETED
> at 110s terminate job 8 on n3
>  6 p      PD  0:00 4 (BadConstraints)
