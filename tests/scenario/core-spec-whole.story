Jobs with --core-spec that want more CPUs of a node than other jobs can get.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AllowSpecResourcesUsage=YES
NodeName=n[1-2] CPUs=8 Sockets=1 CoresPerSocket=8 CoreSpecCount=3
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -n1 -c8 --core-spec 1 --runs 10s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N1 -n8 --core-spec 1 --runs 10s
> job 2
> at 1s launch job 2 on n2
at 20s submit -N2 --ntasks-per-node 8 --core-spec 1 --runs 10s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> at 11s job 2 COMPLETED
> at 11s terminate job 2 on n2
> job 3
> at 20s launch job 3 on n1
at 40s submit -N1 -n7 -w n2 --core-spec 2 --runs 10s
> at 30s job 3 COMPLETED
> at 30s terminate job 3 on n1
> job 4
> at 40s launch job 4 on n2
at 41s submit -N1 -n5 -w n1 --runs 10s
> job 5
> at 41s launch job 5 on n1
at 42s submit -N1 -n8 --core-spec 1 --runs 10s
> job 6
at 43s show jobs
>  4 main   R   0:03 1 n2
>  5 main   R   0:02 1 n1
>  6 main   PD  0:00 1 (Resources)
at 60s show jobs
> at 50s job 4 COMPLETED
> at 50s terminate job 4 on n2
> at 50.001s launch job 6 on n2
> at 51s job 5 COMPLETED
> at 51s terminate job 5 on n1
>  6 main   R   0:09 1 n2
