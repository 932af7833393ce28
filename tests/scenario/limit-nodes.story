A limit counts what a job really gets, whole nodes here: it gets those that the limit allows, however it would like others better.
conf
NodeName=n[1-2] CPUs=8 RealMemory=8000 Weight=1
NodeName=n[3-4] CPUs=4 RealMemory=4000 Weight=2
NodeName=n5 CPUs=2 RealMemory=2000 Weight=3
PartitionName=p Nodes=n[1-4] Default=YES OverSubscribe=EXCLUSIVE
PartitionName=all Nodes=ALL OverSubscribe=EXCLUSIVE
PartitionName=high Nodes=n[1-2] PriorityTier=2 OverSubscribe=EXCLUSIVE
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
AccountingStorageEnforce=limits,qos
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 1s sacctmgr add account theory maxtrespj=cpu=8
at 1s sacctmgr add account maths maxtrespj=cpu=12
at 1s sacctmgr add account team grptres=node=4
at 1s sacctmgr add account free
at 1s sacctmgr add user alice account=theory
at 1s sacctmgr add user bob account=maths
at 1s sacctmgr add user tim account=team
at 1s sacctmgr add user carol account=free

One node: the first by weight. Two: 16 CPUs would be too many, the lighter ones do.
at 2s submit --user=alice -N1 --runs 30s
> job 1
> at 2s launch job 1 on n1
at 3s submit --user=alice -N2 --runs 10s
> job 2
> at 3s launch job 2 on n3
at 4s show jobs
>  1 p      R   0:02 1 n1
>  2 p      R   0:01 2 n[3-4]

Two of which one may be large: the small ones have not so many CPUs.
at 20s submit --user=bob -N2 -n 9 --runs 10s
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n3
> job 3
> at 20s launch job 3 on n2
at 21s show jobs
>  1 p      R   0:19 1 n1
>  3 p      R   0:01 2 n[2-3]

All that is left is too large: it waits for the limit, and a job behind it does not wait for it.
at 40s submit --user=carol -N1 -w n3 --runs 100s
> at 30s job 3 COMPLETED
> at 30s terminate job 3 on n2
> at 32s job 1 COMPLETED
> at 32s terminate job 1 on n1
> job 4
> at 40s launch job 4 on n3
at 41s submit --user=carol -N1 -w n4 --runs 20s
> job 5
> at 41s launch job 5 on n4
at 42s submit --user=bob -N2 -n 3 --runs 5s
> job 6
at 43s submit --user=carol -N1 --runs 5s
> job 7
> at 43s launch job 7 on n1
at 44s show jobs
>  4 p      R   0:04 1 n3
>  5 p      R   0:03 1 n4
>  6 p      PD  0:00 2 (Resources)
>  7 p      R   0:01 1 n1
at 62s show jobs
> at 48s job 7 COMPLETED
> at 48s terminate job 7 on n1
> at 61s job 5 COMPLETED
> at 61s terminate job 5 on n4
> at 61.001s launch job 6 on n1
>  4 p      R   0:22 1 n3
>  6 p      R   0:00 2 n[1,4]

Where a range would be too much it gets fewer.
at 110s submit --user=alice -N1-2 -n 2 --runs 5s
> at 66.001s job 6 COMPLETED
> at 66.001s terminate job 6 on n1
> job 8
> at 110s launch job 8 on n4
at 111s show jobs
>  4 p      R   1:11 1 n3
>  8 p      R   0:01 1 n4

No job is stopped for what the limit forbids anyhow.
at 200s submit --user=carol -p all -N5 --runs 100s
> at 115s job 8 COMPLETED
> at 115s terminate job 8 on n4
> at 140s job 4 COMPLETED
> at 140s terminate job 4 on n3
> job 9
> at 200s launch job 9 on n1
at 201s submit --user=bob -p high -N2 -n 2 --runs 5s
> job 10
at 202s show jobs
>  9 all    R   0:02 5 n[1-5]
> 10 high   PD  0:00 2 (AssocMaxCpuPerJobLimit)

Job 12 keeps the nodes of p until another one of its account has started: then a limit holds it back, and the next one starts.
at 310s cancel 10
> at 300s job 9 COMPLETED
> at 300s terminate job 9 on n1
> at 310s job 10 CANCELLED
at 311s submit --user=carol -N1 -w n1 -t 10m --runs 60s
> job 11
> at 311s launch job 11 on n1
at 312s submit --user=tim -N4 -t 10m --runs 5s
> job 12
at 313s submit --user=carol -N1 -t 1h --runs 5s
> job 13
at 314s show jobs
> 11 p      R   0:03 1 n1
> 12 p      PD  0:00 4 (Resources)
> 13 p      PD  0:00 1 (Priority)
at 315s submit --user=tim -p all -N1 -w n5 -t 20m --runs 60s
> job 14
> at 315s launch job 14 on n5
> at 315s launch job 13 on n2
at 316s show jobs
> 11 p      R   0:05 1 n1
> 12 p      PD  0:00 4 (AssocGrpNodeLimit)
> 13 p      R   0:01 1 n2
> 14 all    R   0:01 1 n5
