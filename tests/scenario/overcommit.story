With --overcommit the tasks of a node share the CPUs that one of them wants: one, or as many as -c says.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-3] CPUs=8
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit --overcommit -n20 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit --overcommit -n20 -c6 --runs 100s
> job 2
> at 1s launch job 2 on n1
at 2s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=0:0
at 2s show job 2
> job 2 RUNNING Reason=None Priority=4294901758 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=6 Exit=0:0
One CPU of n1 is left: -c2 is not there any more.
at 3s submit --overcommit -n20 -c2 -w n1 --runs 100s
> job 3
at 3s submit --overcommit -n20 -w n1 --runs 100s
> job 4
> at 3s launch job 4 on n1
On each of its nodes.
at 4s submit --overcommit -n20 -c8 -N2 --runs 100s
> job 5
> at 4s launch job 5 on n2
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:04 1 n1
>  3 p      PD  0:00 1 (Resources)
>  4 p      R   0:02 1 n1
>  5 p      R   0:01 2 n[2-3]
at 5s show job 5
> job 5 RUNNING Reason=None Priority=4294901755 Restarts=0 RunTime=00:00:01 Nodes=n[2-3] CPUs=16 Exit=0:0
at 5s submit --overcommit -n2 -c9 --runs 100s
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
