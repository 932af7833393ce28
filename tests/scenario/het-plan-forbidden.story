A heterogeneous job loses its place in the plan, as a limit forbids what it could have now: a job before it has its nodes.
conf
SelectType=select/linear
AccountingStorageEnforce=limits
NodeName=n[1-5] CPUs=4
NodeName=n6 CPUs=8
PartitionName=all Nodes=n[1-6] Default=YES
PartitionName=p Nodes=n[2-4]
PartitionName=q Nodes=n[5-6]
end
at 0s sacctmgr add account a
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 0s sacctmgr add account b grptres=cpu=8
at 0s sacctmgr add user user account=a
at 0s sacctmgr add user user account=b
at 0s submit -w n2 -t 200s --runs 200s
> job 1
> at 0s launch job 1 on n2
at 0s submit -w n5 -t 100s --runs 100s
> job 2
> at 0s launch job 2 on n5
at 0s submit -w n[1,4,6] -t 300s --runs 20s
> job 3
> at 0s launch job 3 on n1
at 1s submit -p p -N2 -t 500s --runs 10s
> job 4
at 2s submit -A b -p q -N1 -t 100s --runs 10s : -A b -p p -w n3 -t 100s
> job 5, with components up to 6
at 3s show plan
> 4 at 200s on n[2-3] until 700s
> 5 at 100s on n5 until 200s
> 6 at 100s on n3 until 200s
at 3s show jobs
>  1 all    R   0:03 1 n2
>  2 all    R   0:03 1 n5
>  3 all    R   0:03 3 n[1,4,6]
>  4 p      PD  0:00 2 (Resources)
>  5 q      PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  6 p      PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
at 21s show jobs
> at 20s job 3 COMPLETED
> at 20s terminate job 3 on n1
> at 20s launch job 4 on n3
>  1 all    R   0:21 1 n2
>  2 all    R   0:21 1 n5
>  4 p      R   0:01 2 n[3-4]
>  5 q      PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (Resources)
at 150s show jobs
> at 30s job 4 COMPLETED
> at 30s terminate job 4 on n3
> at 100s job 2 COMPLETED
> at 100s terminate job 2 on n5
> at 100.001s launch job 5 on n5
> at 110.001s job 5 COMPLETED
> at 110.001s terminate job 5 on n5
> at 110.001s job 6 COMPLETED
>  1 all    R   2:30 1 n2
