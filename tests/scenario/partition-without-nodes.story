conf
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=n1 Default=YES
PartitionName=empty
PartitionName=quoted Nodes=""
end
Jobs in a partition without nodes wait until it has some; one that names another partition too starts there.
at 0s submit -p empty -N1 --runs 5s
> at 0s n1 registers
> at 0s n2 registers
> job 1
at 0s submit -p quoted -N2 --runs 5s
> job 2
at 0s submit -p empty,main -N1 --runs 5s
> job 3
> at 0s launch job 3 on n1
at 2s show jobs
>  1 empty  PD  0:00 1 (PartitionConfig)
>  2 quoted PD  0:00 2 (PartitionConfig)
>  3 main   R   0:02 1 n1
It gets nodes, and they start.
at 10s update PartitionName=empty Nodes=n2
> at 5s job 3 COMPLETED
> at 5s terminate job 3 on n1
> at 10s launch job 1 on n2
at 20s update PartitionName=quoted Nodes=n[1-2]
> at 15s job 1 COMPLETED
> at 15s terminate job 1 on n2
> at 20s launch job 2 on n1
at 30s show jobs
> at 25s job 2 COMPLETED
> at 25s terminate job 2 on n1
A partition may lose all of its nodes again.
at 40s update PartitionName=quoted Nodes=
at 41s submit -p quoted -N1 --runs 5s
> job 4
at 50s kill
at 60s show jobs
> at 50.5s n1 registers
> at 50.597s n2 registers
>  4 quoted PD  0:00 1 (PartitionConfig)
