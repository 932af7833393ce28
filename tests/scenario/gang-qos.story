S3: one job has the node, as OverSubscribe=FORCE:1 says; one of a QOS that may preempt it shares it: they take turns.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/qos
NodeName=n1 CPUs=2
PartitionName=DEFAULT Nodes=n1 OverSubscribe=FORCE:1
PartitionName=normal Default=YES PriorityTier=2
PartitionName=below PriorityTier=1
PartitionName=no OverSubscribe=NO PriorityTier=3
end
at 0s hush agents
> at 0s n1 registers
at 0s sacctmgr add qos high preempt=normal priority=10
at 1s submit -n2
> job 1
> at 1s launch job 1 on n1
at 2s submit -n2
> job 2
at 3s show jobs
>  1 normal R   0:02 1 n1
>  2 normal PD  0:00 1 (Resources)
at 10s submit -n2 -q high
> job 3
> at 10s freeze job 1 on n1
at 11s show jobs
> at 10.001s launch job 3 on n1
>  1 normal S   0:09 1 n1
>  2 normal PD  0:00 1 (Resources)
>  3 normal R   0:00 1 n1
at 50s show jobs
> at 40s freeze job 3 on n1
> at 40.001s thaw job 1 on n1
>  1 normal R   0:18 1 n1
>  2 normal PD  0:00 1 (Resources)
>  3 normal S   0:29 1 n1
at 80s show jobs
> at 70s freeze job 1 on n1
> at 70.001s thaw job 3 on n1
>  1 normal S   0:38 1 n1
>  2 normal PD  0:00 1 (Resources)
>  3 normal R   0:39 1 n1
There is one row more, not two.
at 81s submit -n2 -q high
> job 4
at 82s show jobs
>  1 normal S   0:38 1 n1
>  2 normal PD  0:00 1 (Priority)
>  3 normal R   0:41 1 n1
>  4 normal PD  0:00 1 (Resources)
When the victim ends the other has the cores to itself.
at 90s cancel 1
> at 90s job 1 CANCELLED
> at 90s terminate job 1 on n1 at once
at 92s show jobs
>  2 normal PD  0:00 1 (Priority)
>  3 normal R   0:51 1 n1
>  4 normal PD  0:00 1 (Resources)
at 93s cancel 2
> at 93s job 2 CANCELLED
at 93s cancel 3
> at 93s job 3 CANCELLED
> at 93s terminate job 3 on n1
at 94s show jobs
> at 93.001s launch job 4 on n1
>  4 normal R   0:00 1 n1
at 95s cancel 4
> at 95s job 4 CANCELLED
> at 95s terminate job 4 on n1
In a partition of a lower tier it may not, in one of a higher tier the other stands still until it ends; and not where cores are not shared.
at 100s submit -n2
> job 5
> at 100s launch job 5 on n1
at 101s submit -n2 -q high -p below
> job 6
at 102s submit -n2 -q high -p no
> job 7
at 103s show jobs
>  5 normal R   0:03 1 n1
>  6 below  PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  7 no     PD  0:00 1 (Resources)
at 104s cancel 6
> at 104s job 6 CANCELLED
at 104s cancel 7
> at 104s job 7 CANCELLED
at 105s cancel 5
> at 105s job 5 CANCELLED
> at 105s terminate job 5 on n1
at 110s submit -n2 -p below
> job 8
> at 110s launch job 8 on n1
at 111s submit -n2 -q high --runs 70s
> job 9
> at 111s freeze job 8 on n1
at 112s show jobs
> at 111.001s launch job 9 on n1
>  8 below  S   0:01 1 n1
>  9 normal R   0:00 1 n1
at 170s show jobs
>  8 below  S   0:01 1 n1
>  9 normal R   0:58 1 n1
at 200s show jobs
> at 181.001s job 9 COMPLETED
> at 181.001s terminate job 9 on n1
> at 181.002s thaw job 8 on n1
>  8 below  R   0:19 1 n1

A job of a QOS that is not preempted has the place of a job that was suspended by hand; when the QOS allows it, that job goes on at once.
at 201s cancel 8
> at 201s job 8 CANCELLED
> at 201s terminate job 8 on n1

at 202s sacctmgr add qos keep preemptmode=off

at 203s submit -n2
> job 10
> at 203s launch job 10 on n1

at 204s suspend 10
> at 204s freeze job 10 on n1

at 205s submit -n2 -p below -q keep
> job 11
> at 205s launch job 11 on n1

at 206s resume 10

at 207s show jobs
> 10 normal S   0:01 1 n1
> 11 below  R   0:02 1 n1

at 208s sacctmgr modify qos keep set preemptmode=cluster
> at 208s freeze job 11 on n1

at 209s show jobs
> at 208.001s thaw job 10 on n1
> 10 normal R   0:01 1 n1
> 11 below  S   0:03 1 n1
