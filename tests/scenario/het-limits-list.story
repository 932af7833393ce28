Limits of partitions, and heterogeneous jobs that name several: what keeps a component from one of its partitions leaves it the others.
conf
AccountingStorageEnforce=limits
NodeName=n[1-8] CPUs=4
PartitionName=d Nodes=n[1-8] Default=YES
PartitionName=a Nodes=n[1-8] QOS=one
PartitionName=b Nodes=n[1-8]
PartitionName=c Nodes=n[1-6]
PartitionName=off Nodes=n[7-8] State=DOWN
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
at 0s sacctmgr add qos one grpjobs=1
at 0s sacctmgr add account team
at 0s sacctmgr add user user account=team
at 0s submit -p a -N1 --exclusive -t 1h --runs 100s
> job 1
> at 0s launch job 1 on n1
at 1s show jobs
>  1 a      R   0:01 1 n1
Its leader finds no room in a; its second component neither; in b both do.
at 2s submit -p a,b -N1 --exclusive -t 1h --runs 10s : -p d -N1 --exclusive -t 1h
> job 2, with components up to 3
> at 2s launch job 2 on n2
at 2s submit -p d -N1 --exclusive -t 1h --runs 10s : -p a,b -N1 --exclusive -t 1h
> job 4, with components up to 5
> at 2s launch job 4 on n4
at 3s show jobs
>  1 a      R   0:03 1 n1
>  2 b      R   0:01 1 n2
>  3 d      R   0:01 1 n3
>  4 d      R   0:01 1 n4
>  5 b      R   0:01 1 n5
Without a partition that has room for it, it waits.
at 20s submit -p d -N1 --exclusive -t 1h --runs 10s : -p a -N1 --exclusive -t 1h
> at 12s job 2 COMPLETED
> at 12s terminate job 2 on n2
> at 12s job 3 COMPLETED
> at 12s job 4 COMPLETED
> at 12s terminate job 4 on n4
> at 12s job 5 COMPLETED
> job 6, with components up to 7
at 21s show jobs
>  1 a      R   0:21 1 n1
>  6 d      PD  0:00 1 (QOSGrpJobsLimit)
>  7 a      PD  0:00 1 (QOSGrpJobsLimit)
at 21s cancel 6
> at 21s job 6 CANCELLED
> at 21s job 7 CANCELLED
One of them has room in a then, so that the other is in b.
at 100s show jobs
> at 100s job 1 COMPLETED
> at 100s terminate job 1 on n1
>  1 a      CG  1:40 1 n1
at 101s submit -p d -N1 --exclusive -t 1h --runs 10s : -p a,b -N1 --exclusive -t 1h : -p a,b -N1 --exclusive -t 1h
> job 8, with components up to 10
> at 101s launch job 8 on n1
at 102s show jobs
>  8 d      R   0:01 1 n1
>  9 a      R   0:01 1 n2
> 10 b      R   0:01 1 n3
However many they are: of 32 ways the last is the one.
at 120s submit -p a -N1 --exclusive -t 1h --runs 100s
> at 111s job 8 COMPLETED
> at 111s terminate job 8 on n1
> at 111s job 9 COMPLETED
> at 111s job 10 COMPLETED
> job 11
> at 120s launch job 11 on n1
at 121s submit -p d -N1 --exclusive -t 1h --runs 10s : -p a,b -N1 --exclusive -t 1h : -p a,b -N1 --exclusive -t 1h : -p a,b -N1 --exclusive -t 1h : -p a,b -N1 --exclusive -t 1h : -p a,b -N1 --exclusive -t 1h
> job 12, with components up to 17
> at 121s launch job 12 on n2
at 122s show jobs
> 11 a      R   0:02 1 n1
> 12 d      R   0:01 1 n2
> 13 b      R   0:01 1 n3
> 14 b      R   0:01 1 n4
> 15 b      R   0:01 1 n5
> 16 b      R   0:01 1 n6
> 17 b      R   0:01 1 n7
The plan is made where limits and partitions let them start: not on the free nodes of the partition that is down, and not in a.
at 300s submit -p a -N1 -w n1 --exclusive -t 1h --runs 1h
> at 131s job 12 COMPLETED
> at 131s terminate job 12 on n2
> at 131s job 13 COMPLETED
> at 131s job 14 COMPLETED
> at 131s job 15 COMPLETED
> at 131s job 16 COMPLETED
> at 131s job 17 COMPLETED
> at 220s job 11 COMPLETED
> at 220s terminate job 11 on n1
> job 18
> at 300s launch job 18 on n1
at 300s submit -p d -N5 -w n[2-6] --exclusive -t 30m --runs 30m
> job 19
> at 300s launch job 19 on n2
at 301s submit -p c -N1 --exclusive -t 1h --runs 10s : -p off,a,c -N2 --exclusive -t 1h
> job 20, with components up to 21
at 302s submit -p d -N4 --exclusive -t 1h --runs 10s
> job 22
at 303s show plan
> 20 at 2100s on n2 until 5700s
> 22 at 2100s on n[5-8] until 5700s
> 21 at 2100s on n[3-4] until 5700s in c
at 303s show jobs
> 18 a      R   0:03 1 n1
> 19 d      R   0:03 5 n[2-6]
> 20 c      PD  0:00 1 (Resources)
> 21 off    PD  0:00 2 (Resources)
> 22 d      PD  0:00 4 (Resources)
at 3000s show jobs
> at 2100s job 19 COMPLETED
> at 2100s terminate job 19 on n2
> at 2100s launch job 20 on n3
> at 2100.001s launch job 22 on n2
> at 2110s job 20 COMPLETED
> at 2110s terminate job 20 on n3
> at 2110s job 21 COMPLETED
> at 2110.001s job 22 COMPLETED
> at 2110.001s terminate job 22 on n2
> 18 a      R  45:00 1 n1
