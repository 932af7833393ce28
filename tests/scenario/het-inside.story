conf
NodeName=n[1-10] CPUs=4
PartitionName=p1 Nodes=n[1-10] Default=YES
PartitionName=p2 Nodes=n[1-5]
end
The guide's bad case: five nodes of ten, and five of five of these. Nodes that others have are waited for; no job starves it.
at 0s submit -N3 -p p1 -t 100s --runs 100s --exclusive -w n[4-6]
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
> job 1
> at 0s launch job 1 on n4
at 1s submit -N5 -p p1 -t 60s --runs 60s : -N5 -p p2 -t 60s
> job 2, with components up to 3
at 2s submit -N5 -p p2 -t 300s --runs 300s --exclusive
> job 4
at 2s submit -N4 -p p1 -t 90s --runs 90s --exclusive
> job 5
> at 2s launch job 5 on n1
at 2s submit -N5 -p p1 -t 300s --runs 300s --exclusive
> job 6
at 3s show plan
> 2 at 100s on n[6-10] until 160s
> 4 at 160s on n[1-5] until 460s
> 6 at 160s on n[6-10] until 460s
> 3 at 100s on n[1-5] until 160s
at 3s show jobs
>  1 p1     R   0:03 3 n[4-6]
>  2 p1     PD  0:00 5 (Resources)
>  3 p2     PD  0:00 5 (Resources)
>  4 p2     PD  0:00 5 (Priority)
>  5 p1     R   0:01 4 n[1-3,7]
>  6 p1     PD  0:00 5 (Priority)
at 101s show jobs
> at 92s job 5 COMPLETED
> at 92s terminate job 5 on n1
> at 100s job 1 COMPLETED
> at 100s terminate job 1 on n4
> at 100.001s launch job 2 on n6
>  2 p1     R   0:00 5 n[6-10]
>  3 p2     R   0:00 5 n[1-5]
>  4 p2     PD  0:00 5 (Resources)
>  6 p1     PD  0:00 5 (Resources)
at 161s show jobs
> at 160.001s job 2 COMPLETED
> at 160.001s terminate job 2 on n6
> at 160.001s job 3 TIMEOUT
> at 160.001s launch job 4 on n1
> at 160.002s launch job 6 on n6
>  4 p2     R   0:00 5 n[1-5]
>  6 p1     R   0:00 5 n[6-10]
