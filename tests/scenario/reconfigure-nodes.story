A reconfiguration that adds nodes, and takes one away: jobs go on, the new nodes are used, and those that stay keep what they have.
conf
NodeName=n[2-3] CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 0s submit -w n3 --runs 100s
> at 0s n2 registers
> at 0s n3 registers
> job 1
> at 0s launch job 1 on n3
at 1s submit -N1 --runs 20s
> job 2
> at 1s launch job 2 on n2
at 1s submit -N3 --runs 20s
> job 3
at 30s show jobs
> at 21s job 2 COMPLETED
> at 21s terminate job 2 on n2
>  1 p      R   0:30 1 n3
>  3 p      PD  0:00 3 (PartitionNodeLimit)
conf
NodeName=n[1,3-5] CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 40s show nodes
> at 30s n1 registers
> at 30s n4 registers
> at 30s n5 registers
> at 30s launch job 3 on n1
> n[1,3-5] mix
at 40s show jobs
>  1 p      R   0:40 1 n3
>  3 p      R   0:10 3 n[1,4-5]
at 130s show jobs
> at 50s job 3 COMPLETED
> at 50s terminate job 3 on n1
> at 100s job 1 COMPLETED
> at 100s terminate job 1 on n3
