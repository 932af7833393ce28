conf
NodeName=n[1-10] CPUs=4
PartitionName=p1 Nodes=n[1-10] Default=YES
PartitionName=p2 Nodes=n[1-5]
PartitionName=p3 Nodes=n[6-10]
end
Components that could do with fewer nodes share those that there are, and leave none idle that one could have.
at 0s submit -N1-5 -p p1 -t 100s --runs 10s --exclusive : -N5 -p p3 --exclusive : -N3-5 -p p2 --exclusive
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
> at 0s n9 registers
> at 0s n10 registers
> job 1, with components up to 3
> at 0s launch job 1 on n5
at 1s show jobs
>  1 p1     R   0:01 1 n5
>  2 p3     R   0:01 5 n[6-10]
>  3 p2     R   0:01 4 n[1-4]
at 20s submit -N1-10 -t 100s --runs 10s --exclusive : -N2-10 --exclusive
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n5
> at 10s job 2 COMPLETED
> at 10s job 3 COMPLETED
> job 4, with components up to 5
> at 20s launch job 4 on n1
at 21s show jobs
>  4 p1     R   0:01 8 n[1-8]
>  5 p1     R   0:01 2 n[9-10]
at 40s submit -N1-4 -t 100s --runs 10s --exclusive : -N2-4 --exclusive
> at 30s job 4 COMPLETED
> at 30s terminate job 4 on n1
> at 30s job 5 COMPLETED
> job 6, with components up to 7
> at 40s launch job 6 on n1
at 41s show jobs
>  6 p1     R   0:01 4 n[1-4]
>  7 p1     R   0:01 4 n[5-8]
As much as is left when it can start.
at 60s submit -w n[1-3] -N3 -t 100s --runs 30s --exclusive
> at 50s job 6 COMPLETED
> at 50s terminate job 6 on n1
> at 50s job 7 COMPLETED
> job 8
> at 60s launch job 8 on n1
at 61s submit -N1-4 -p p2 -t 100s --runs 10s --exclusive : -N2-10 --exclusive
> job 9, with components up to 10
> at 61s launch job 9 on n4
at 62s show jobs
>  8 p1     R   0:02 3 n[1-3]
>  9 p2     R   0:01 2 n[4-5]
> 10 p1     R   0:01 5 n[6-10]
