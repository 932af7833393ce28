Components that could never run together are changed so that they could, the first or a later one: the job is planned before those
that come after it.
conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
MinJobAge=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N2 -t 1m --exclusive --runs 60s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N2 -t 2m --exclusive --runs 120s
> job 2
> at 1s launch job 2 on n3
at 2s submit -N4 -t 10m --exclusive --runs 100s : -N1 -t 10m --exclusive
> job 3, with components up to 4
at 3s show jobs
>  1 p      R   0:02 2 n[1-2]
>  2 p      R   0:02 2 n[3-4]
>  3 p      PD  0:00 4 (BadConstraints)
>  4 p      PD  0:00 1 (BadConstraints)
at 3s update JobId=3 NumNodes=3
at 4s submit -N2 -t 2m --exclusive --runs 120s
> job 5
at 5s show plan
> 3 at 121s on n[1-3] until 721s
> 5 at 721s on n[1-2] until 841s
> 4 at 121s on n4 until 721s
at 6s show jobs
>  1 p      R   0:05 2 n[1-2]
>  2 p      R   0:05 2 n[3-4]
>  3 p      PD  0:00 3 (Resources)
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 2 (Priority)
at 130s show jobs
> at 61s job 1 COMPLETED
> at 61s terminate job 1 on n1
> at 121s job 2 COMPLETED
> at 121s terminate job 2 on n3
> at 121.001s launch job 3 on n1
>  3 p      R   0:08 3 n[1-3]
>  4 p      R   0:08 1 n4
>  5 p      PD  0:00 2 (Resources)
at 1000s submit -N2 -t 1m --exclusive --runs 60s
> at 221.001s job 3 COMPLETED
> at 221.001s terminate job 3 on n1
> at 221.001s job 4 COMPLETED
> at 221.001s launch job 5 on n2
> at 341.001s job 5 COMPLETED
> at 341.001s terminate job 5 on n2
> job 6
> at 1000s launch job 6 on n1
at 1000s submit -N2 -t 2m --exclusive --runs 120s
> job 7
> at 1000s launch job 7 on n3
at 1001s submit -N3 -t 10m --exclusive --runs 100s : -N2 -t 10m --exclusive
> job 8, with components up to 9
at 1002s show jobs
>  6 p      R   0:02 2 n[1-2]
>  7 p      R   0:02 2 n[3-4]
>  8 p      PD  0:00 3 (BadConstraints)
>  9 p      PD  0:00 2 (BadConstraints)
at 1002s update JobId=9 NumNodes=1
at 1003s submit -N2 -t 2m --exclusive --runs 120s
> job 10
at 1004s show plan
> 8 at 1120s on n[1-3] until 1720s
> 10 at 1720s on n[1-2] until 1840s
> 9 at 1120s on n4 until 1720s
at 1130s show jobs
> at 1060s job 6 COMPLETED
> at 1060s terminate job 6 on n1
> at 1120s job 7 COMPLETED
> at 1120s terminate job 7 on n3
> at 1120.001s launch job 8 on n1
>  8 p      R   0:09 3 n[1-3]
>  9 p      R   0:09 1 n4
> 10 p      PD  0:00 2 (Resources)
