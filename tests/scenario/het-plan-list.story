A heterogeneous job whose leader waits for two partitions: that one of them is down leaves it its place in the plan of the other, once and for all.
conf
NodeName=n[1-3] CPUs=4
PartitionName=lo Nodes=n[1-3] Default=YES
PartitionName=hi Nodes=n[1-3] PriorityTier=5 State=DOWN
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit -N2 --exclusive -t 1h --runs 1h
> job 1
> at 0s launch job 1 on n1
at 1s submit -p lo,hi -N1 --exclusive -t 1h --runs 10s : -N1 --exclusive -t 1h
> job 2, with components up to 3
at 2s submit -N3 --exclusive -t 1h --runs 10s
> job 4
at 3s show plan
> 2 at 3600s on n1 until 7200s in lo
> 4 at 7200s on n[1-3] until 10800s
> 3 at 3600s on n2 until 7200s
at 3s show jobs
>  1 lo     R   0:03 2 n[1-2]
>  2 lo     PD  0:00 1 (Resources)
>  3 lo     PD  0:00 1 (Resources)
>  4 lo     PD  0:00 3 (Priority)
at 3700s show jobs
> at 3600s job 1 COMPLETED
> at 3600s terminate job 1 on n1
> at 3600s launch job 2 on n2
> at 3610s job 2 COMPLETED
> at 3610s terminate job 2 on n2
> at 3610s job 3 COMPLETED
> at 3610.001s launch job 4 on n1
> at 3620.001s job 4 COMPLETED
> at 3620.001s terminate job 4 on n1
at 3800s show jobs
