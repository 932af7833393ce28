conf
SchedulerType=sched/builtin
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
PartitionName=q Nodes=n[1-2]
end
Strictly in order: a heterogeneous job is one place in it, and those behind it wait in the partitions of all its components.
at 0s submit -N2 -w n[1-2] --exclusive --runs 10s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1
> at 0s launch job 1 on n1
at 1s submit -N1 --runs 5s : -N2 -p q
> job 2, with components up to 3
at 1s submit -N2 --runs 5s : -N2 -p q
> job 4, with components up to 5
at 2s submit -N1 --runs 5s
> job 6
at 2s submit -N1 --runs 5s -p q
> job 7
at 3s show jobs
>  1 p      R   0:03 2 n[1-2]
>  2 p      PD  0:00 1 (Resources)
>  3 q      PD  0:00 2 (Resources)
>  4 p      PD  0:00 2 (Priority)
>  5 q      PD  0:00 2 (Priority)
>  6 p      PD  0:00 1 (Priority)
>  7 q      PD  0:00 1 (Priority)
at 12s show jobs
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> at 10.001s launch job 2 on n3
>  2 p      R   0:01 1 n3
>  3 q      R   0:01 2 n[1-2]
>  4 p      PD  0:00 2 (Resources)
>  5 q      PD  0:00 2 (Resources)
>  6 p      PD  0:00 1 (Priority)
>  7 q      PD  0:00 1 (Priority)
at 30s show jobs
> at 15.001s job 2 COMPLETED
> at 15.001s terminate job 2 on n3
> at 15.001s job 3 COMPLETED
> at 15.002s launch job 4 on n3
> at 20.002s job 4 COMPLETED
> at 20.002s terminate job 4 on n3
> at 20.002s job 5 COMPLETED
> at 20.002s launch job 6 on n1
> at 20.002s launch job 7 on n2
> at 25.002s job 6 COMPLETED
> at 25.002s terminate job 6 on n1
> at 25.002s job 7 COMPLETED
> at 25.002s terminate job 7 on n2
