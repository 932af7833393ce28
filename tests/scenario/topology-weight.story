Switches and weights: of possible leaves a job gets the one with the least weight of nodes, and the smallest among equals.  Nodes of more weight are for jobs that need them.
conf
SelectType=select/linear
TopologyPlugin=topology/tree
NodeName=n[1-3] CPUs=2 Feature=fast
NodeName=n[4-5] CPUs=2 Weight=5
NodeName=big CPUs=2 Weight=10 Feature=fast
NodeName=n7 CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
topology.conf SwitchName=s1 Nodes=n[1-3]
topology.conf SwitchName=s2 Nodes=n[4-5],big
topology.conf SwitchName=s3 Nodes=n7
topology.conf SwitchName=top Switches=s[1-3]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s big registers
> at 0s n7 registers
big is alone on its switch as far as features go, but for jobs that need it.
at 1s submit -N1 -C fast --runs 10s
> job 1
> at 1s launch job 1 on n1
The smallest of equal weight.
at 1s submit -N1 --runs 10s
> job 2
> at 1s launch job 2 on n7
at 1s submit -N2 --runs 10s
> job 3
> at 1s launch job 3 on n2
Below one switch, whatever they weigh.
at 1s submit -N3 --runs 10s
> job 4
> at 1s launch job 4 on n4
at 2s show jobs
>  1 p      R   0:01 1 n1
>  2 p      R   0:01 1 n7
>  3 p      R   0:01 2 n[2-3]
>  4 p      R   0:01 3 n[4-5],big
When one of the light ones has gone, there is none but those of more weight.
at 20s submit -N3 -w n1 --runs 10s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> at 11s job 2 COMPLETED
> at 11s terminate job 2 on n7
> at 11s job 3 COMPLETED
> at 11s terminate job 3 on n2
> at 11s job 4 COMPLETED
> at 11s terminate job 4 on n4
> job 5
> at 20s launch job 5 on n1
at 20s submit -N1 -x n7 --runs 10s
> job 6
> at 20s launch job 6 on n4
at 21s show jobs
>  5 p      R   0:01 3 n[1-3]
>  6 p      R   0:01 1 n4
