A heterogeneous job starts before its time, on other nodes than planned: a job before it is planned there.
conf
SelectType=select/linear
NodeName=n[1-7] CPUs=4
PartitionName=all Nodes=n[1-7] Default=YES
PartitionName=p Nodes=n[3-4]
PartitionName=q Nodes=n[5-7]
PartitionName=r Nodes=n[2,4]
end
at 0s delay gone 10s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
at 0s submit -w n3 -t 300s --runs 150s
> job 1
> at 0s launch job 1 on n3
at 0s submit -w n5 -t 100s --runs 100s
> job 2
> at 0s launch job 2 on n5
at 0s submit -w n7 -t 300s --runs 300s
> job 3
> at 0s launch job 3 on n7
at 0s submit -w n[1-2,6] -t 160s --runs 20s
> job 4
> at 0s launch job 4 on n1
at 1s submit -p p -N2 -t 500s --runs 10s
> job 5
at 1s submit -p q -N3 -t 500s --runs 10s
> job 6
at 2s submit -p q -N1 -t 50s --runs 10s : -p r -N1 -t 100s
> job 7, with components up to 8
at 3s show plan
> 5 at 300s on n[3-4] until 800s
> 6 at 300s on n[5-7] until 800s
> 7 at 100s on n5 until 150s
> 8 at 100s on n4 until 200s
at 10s update JobId=1 TimeLimit=2:30
at 11s show plan
> 5 at 200s on n[3-4] until 700s
> 6 at 300s on n[5-7] until 800s
> 7 at 100s on n5 until 150s
> 8 at 100s on n4 until 200s
at 21s show plan
> at 20s job 4 COMPLETED
> at 20s terminate job 4 on n1
> at 20s launch job 7 on n6
> 5 at 180s on n[3-4] until 680s
> 6 at 300s on n[5-7] until 800s
at 21s show jobs
>  1 all    R   0:21 1 n3
>  2 all    R   0:21 1 n5
>  3 all    R   0:21 1 n7
>  4 all    CG  0:20 3 n[1-2,6]
>  5 p      PD  0:00 2 (Resources)
>  6 q      PD  0:00 3 (Resources)
>  7 q      R   0:01 1 n6
>  8 r      R   0:01 1 n2
