The leader may be in two partitions, of which one is full: that nodes are kept for a component at the first one's turn does not keep them from it at the second's.
conf
NodeName=n[1-4] CPUs=4
PartitionName=p1 Nodes=n1 Default=YES
PartitionName=p2 Nodes=n2
PartitionName=p3 Nodes=n[3-4]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s submit -N1 -p p1 --exclusive -t 2h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 1s submit -N1 -p p1,p2 --exclusive -t 10m --runs 60s : -N1 -p p3 --exclusive -t 10m
> job 2, with components up to 3
> at 1s launch job 2 on n2
at 3s show plan
at 3s show jobs
>  1 p1     R   0:03 1 n1
>  2 p2     R   0:02 1 n2
>  3 p3     R   0:02 1 n3
at 5000s show jobs
> at 61s job 2 COMPLETED
> at 61s terminate job 2 on n2
> at 61s job 3 COMPLETED
> at 3600s job 1 COMPLETED
> at 3600s terminate job 1 on n1
at 8000s show jobs
