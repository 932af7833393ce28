What time alone allows, for jobs that wait behind others: minutes that running jobs have left (GrpTRESRunMins), and that a job has run long enough to be preempted (PreemptExemptTime).  And what people allow.
conf
NodeName=n[1-4] CPUs=4
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=high Nodes=ALL PriorityTier=2 OverSubscribe=FORCE:1
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
PreemptExemptTime=0-0:5
MinJobAge=10000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s sacctmgr add account team grptresrunmins=cpu=60
at 1s sacctmgr add account free
at 1s sacctmgr add user tim account=team
at 1s sacctmgr add user carol account=free
Job 1 has an hour left. Job 3 waits behind job 2, which all nodes are kept for; it could run beside them when job 1 has 50 minutes left.
at 2s submit --user=tim -n1 -w n1 -t 60m --runs 30m
> job 1
> at 2s launch job 1 on n1
at 3s submit --user=carol -N4 -n16 -t 10m --runs 60s
> job 2
at 4s submit --user=tim -n1 -t 10m --runs 60s
> job 3
at 5s show jobs
>  1 low    R   0:03 1 n1
>  2 low    PD  0:00 4 (Resources)
>  3 low    PD  0:00 1 (Priority)
at 1200s show jobs
> at 542.000001s launch job 3 on n1
> at 602.000001s job 3 COMPLETED
> at 602.000001s terminate job 3 on n1
>  1 low    R  19:58 1 n1
>  2 low    PD  0:00 4 (Resources)
And when sacctmgr allows it.
at 1260s submit --user=tim -n1 -t 30m --runs 60s
> job 4
at 1260s show jobs
>  1 low    R  20:58 1 n1
>  2 low    PD  0:00 4 (Resources)
>  4 low    PD  0:00 1 (Priority)
at 1320s sacctmgr modify account team set grptresrunmins=-1
> at 1320s launch job 4 on n1
at 1320s show jobs
>  1 low    R  21:58 1 n1
>  2 low    PD  0:00 4 (Resources)
>  4 low    R   0:00 1 n1
at 3600s show jobs
> at 1380s job 4 COMPLETED
> at 1380s terminate job 4 on n1
> at 1802s job 1 COMPLETED
> at 1802s terminate job 1 on n1
> at 1802.001s launch job 2 on n1
> at 1862.001s job 2 COMPLETED
> at 1862.001s terminate job 2 on n1
PreemptExemptTime: job 8 waits behind job 7, which wants a node that job 5 has for long; it is short enough, and may stop job 6 once that has run for five minutes.
at 7000s submit --user=carol -n4 -w n1 -p high -t 60m --runs 700s
> job 5
> at 7000s launch job 5 on n1
at 7000s submit --user=carol -N3 -n12 -t 60m --runs 700s
> job 6
> at 7000s launch job 6 on n2
at 7001s submit --user=carol -N4 -n16 -p high -t 10m --runs 60s
> job 7
at 7002s submit --user=carol -n4 -p high -t 10m --runs 60s
> job 8
at 7003s show jobs
>  5 high   R   0:03 1 n1
>  6 low    R   0:03 3 n[2-4]
>  7 high   PD  0:00 4 (Resources)
>  8 high   PD  0:00 1 (Priority)
at 7299s show jobs
>  5 high   R   4:59 1 n1
>  6 low    R   4:59 3 n[2-4]
>  7 high   PD  0:00 4 (Resources)
>  8 high   PD  0:00 1 (Priority)
at 7310s show jobs
> at 7300s freeze job 6 on n2
> at 7300.001s launch job 8 on n2
>  5 high   R   5:10 1 n1
>  6 low    S   5:00 3 n[2-4]
>  7 high   PD  0:00 4 (Resources)
>  8 high   R   0:09 1 n2
