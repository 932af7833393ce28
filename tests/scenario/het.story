conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
PartitionName=q Nodes=n[1-2]
end
Both components start at the same instant, on distinct nodes, and end with the script of the first.
at 0s submit -N1 --runs 20s : -N1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1, with components up to 2
> at 0s launch job 1 on n1
at 1s show jobs
>  1 p      R   0:01 1 n1
>  2 p      R   0:01 1 n2
at 21s show jobs
> at 20s job 1 COMPLETED
> at 20s terminate job 1 on n1
> at 20s job 2 COMPLETED
The second component could start at once, the first cannot: neither does, and the job behind them waits.
at 30s submit -N2 -w n[1-2] --exclusive --runs 10s
> job 3
> at 30s launch job 3 on n1
at 31s submit -N3 --runs 10s : -N1 --runs 10s
> job 4, with components up to 5
at 31s submit -N4 --exclusive --runs 5s
> job 6
at 32s show jobs
>  3 p      R   0:02 2 n[1-2]
>  4 p      PD  0:00 3 (Resources)
>  5 p      PD  0:00 1 (Resources)
>  6 p      PD  0:00 4 (Priority)
at 41s show jobs
> at 40s job 3 COMPLETED
> at 40s terminate job 3 on n1
> at 40.001s launch job 4 on n1
>  4 p      R   0:00 3 n[1-3]
>  5 p      R   0:00 1 n4
>  6 p      PD  0:00 4 (Resources)
at 60s show jobs
> at 50.001s job 4 COMPLETED
> at 50.001s terminate job 4 on n1
> at 50.001s job 5 COMPLETED
> at 50.002s launch job 6 on n1
> at 55.002s job 6 COMPLETED
> at 55.002s terminate job 6 on n1
Partitions one inside the other: the component of p leaves q's nodes to the other one.
at 70s submit -N2 -p p --runs 10s : -N2 -p q
> job 7, with components up to 8
> at 70s launch job 7 on n3
at 71s show jobs
>  7 p      R   0:01 2 n[3-4]
>  8 q      R   0:01 2 n[1-2]
Three nodes for both of five: it never starts, and no job waits for it.
at 90s submit -N3 --runs 10s : -N2
> at 80s job 7 COMPLETED
> at 80s terminate job 7 on n3
> at 80s job 8 COMPLETED
> job 9, with components up to 10
at 90s submit -N4 --exclusive --runs 5s
> job 11
> at 90s launch job 11 on n1
at 91s show jobs
>  9 p      PD  0:00 3 (BadConstraints)
> 10 p      PD  0:00 2 (BadConstraints)
> 11 p      R   0:01 4 n[1-4]
at 97s show jobs
> at 95s job 11 COMPLETED
> at 95s terminate job 11 on n1
>  9 p      PD  0:00 3 (BadConstraints)
> 10 p      PD  0:00 2 (BadConstraints)
