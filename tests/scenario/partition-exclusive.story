Exclusive= of a partition (26.05): NODE gives a job whole nodes whatever OverSubscribe says, USER keeps other users off; scontrol changes it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=4
PartitionName=DEFAULT Nodes=n[1-2] Exclusive=NODE
PartitionName=node OverSubscribe=FORCE:2 Default=YES
PartitionName=user Nodes=n3 Exclusive=USER
PartitionName=no Nodes=n4 Exclusive=NO
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit --uid=1 -n1 --runs 10s
> job 1
> at 1s launch job 1 on n1
at 1s submit --uid=1 -n1 --runs 10s
> job 2
> at 1s launch job 2 on n2
at 1s submit --uid=1 -n1 --runs 10s
> job 3
at 2s show jobs
>  1 node   R   0:01 1 n1
>  2 node   R   0:01 1 n2
>  3 node   PD  0:00 1 (Resources)
at 2s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=4 Exit=0:0
A node of a user.
at 20s submit --uid=1 -p user -n1 --runs 10s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> at 11s job 2 COMPLETED
> at 11s terminate job 2 on n2
> at 11.001s launch job 3 on n1
> job 4
> at 20s launch job 4 on n3
at 20s submit --uid=2 -p user -n1 --runs 10s
> job 5
at 20s submit --uid=1 -p user -n1 --runs 10s
> job 6
> at 20s launch job 6 on n3
at 21s show jobs
>  3 node   R   0:09 1 n1
>  4 user   R   0:01 1 n3
>  5 user   PD  0:00 1 (Resources)
>  6 user   R   0:01 1 n3
at 50s submit --uid=1 -p no -n1 --runs 10s
> at 21.001s job 3 COMPLETED
> at 21.001s terminate job 3 on n1
> at 30s job 4 COMPLETED
> at 30s terminate job 4 on n3
> at 30s job 6 COMPLETED
> at 30s terminate job 6 on n3
> at 30.001s launch job 5 on n3
> at 40.001s job 5 COMPLETED
> at 40.001s terminate job 5 on n3
> job 7
> at 50s launch job 7 on n4
at 50s submit --uid=2 -p no -n1 --runs 10s
> job 8
> at 50s launch job 8 on n4
at 51s show jobs
>  7 no     R   0:01 1 n4
>  8 no     R   0:01 1 n4
By scontrol.
at 70s update PartitionName=node Exclusive=NONE
> at 60s job 7 COMPLETED
> at 60s terminate job 7 on n4
> at 60s job 8 COMPLETED
> at 60s terminate job 8 on n4
at 70s update PartitionName=no Exclusive=NODE
at 70s update PartitionName=no Exclusive=TOPO
> refused: Invalid update specification (Exclusive=TOPO is not implemented: jobs would share a topology unit)
at 71s submit --uid=1 -w n1 -n1 --runs 10s
> job 9
> at 71s launch job 9 on n1
at 71s submit --uid=2 -w n1 -n1 --runs 10s
> job 10
> at 71s launch job 10 on n1
at 71s submit --uid=1 -p no -n1 --runs 10s
> job 11
> at 71s launch job 11 on n4
at 71s submit --uid=2 -p no -n1 --runs 10s
> job 12
at 72s show jobs
>  9 node   R   0:01 1 n1
> 10 node   R   0:01 1 n1
> 11 no     R   0:01 1 n4
> 12 no     PD  0:00 1 (Resources)
