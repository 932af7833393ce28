PreemptParameters=reclaim_licenses: a job that lacks licenses takes them from jobs that may be cancelled or requeued for it; one that would be suspended keeps them.
conf
SelectType=select/linear
SchedulerType=sched/backfill
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PreemptParameters=reclaim_licenses
Licenses=a:4,b:2
NodeName=n[1-6] CPUs=1
PartitionName=DEFAULT Nodes=n[1-6] MaxTime=INFINITE OverSubscribe=FORCE:1
PartitionName=low PriorityTier=1 Default=YES PreemptMode=CANCEL
PartitionName=back PriorityTier=1 PreemptMode=REQUEUE
PartitionName=stop PriorityTier=1 PreemptMode=SUSPEND
PartitionName=high PriorityTier=2 PreemptMode=OFF
end
As few of them as will do: of 1, 2 and 3 the second alone.
at 0s submit -L a:1 -t 1000s --runs 1000s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> job 1
> at 0s launch job 1 on n1
at 0s submit -L a:2 -t 1000s --runs 1000s -N2
> job 2
> at 0s launch job 2 on n2
at 0s submit -L a:1 -t 1000s --runs 1000s
> job 3
> at 0s launch job 3 on n4
at 1s estimate -p high -L a:2 -t 100s -N2
> in 00:00:00 on n[2-3], 2 CPUs, with victims
at 1s estimate -p high -L a:2|b:3 -t 100s -N2
> in 00:16:39 on n[1-2], 2 CPUs
at 1s estimate -L a:2 -t 100s -N2
> in 00:16:39 on n[1-2], 2 CPUs
at 1s submit -p high -L a:2 -t 100s --runs 10s -N2
> job 4
> at 1s job 2 PREEMPTED
> at 1s terminate job 2 on n2
at 2s show jobs
> at 1.001s launch job 4 on n2
>  1 low    R   0:02 1 n1
>  3 low    R   0:02 1 n4
>  4 high   R   0:00 2 n[2-3]
at 2s show licenses
> a 4 of 4
> b 0 of 2
>  job 1 has a:1
>  job 3 has a:1
>  job 4 has a:2
at 3s show jobs
>  1 low    R   0:03 1 n1
>  3 low    R   0:03 1 n4
>  4 high   R   0:01 2 n[2-3]
Not for one of several, not for what is not there, nor by a job that has no nodes even then.
at 20s submit -p high -L a:3|b:3 -t 100s --runs 10s --hold
> at 11.001s job 4 COMPLETED
> at 11.001s terminate job 4 on n2
> job 5
at 20s submit -p high -L a:3 -t 100s --runs 10s -N7
> job 6
at 21s show jobs
>  1 low    R   0:21 1 n1
>  3 low    R   0:21 1 n4
>  5 high   PD  0:00 1 (JobHeldUser)
>  6 high   PD  0:00 7 (PartitionConfig)
at 22s cancel 5
> at 22s job 5 CANCELLED
at 22s cancel 6
> at 22s job 6 CANCELLED
A requeued one waits its turn.
at 30s submit -p back -L b:2 -t 100s --runs 50s
> job 7
> at 30s launch job 7 on n2
at 31s submit -p high -L b:1 -t 100s --runs 10s
> job 8
> at 31s job 7 is requeued
> at 31s terminate job 7 on n2
at 32s show jobs
> at 31.001s launch job 8 on n2
>  1 low    R   0:32 1 n1
>  3 low    R   0:32 1 n4
>  7 back   PD  0:00 1 (Licenses)
>  8 high   R   0:00 1 n2
at 60s show jobs
> at 41.001s job 8 COMPLETED
> at 41.001s terminate job 8 on n2
> at 41.002s launch job 7 on n2
>  1 low    R   1:00 1 n1
>  3 low    R   1:00 1 n4
>  7 back   R   0:18 1 n2
at 100s show jobs
> at 91.002s job 7 COMPLETED
> at 91.002s terminate job 7 on n2
>  1 low    R   1:40 1 n1
>  3 low    R   1:40 1 n4
A job that would be suspended keeps its license.
at 200s submit -p stop -L b:2 -t 100s --runs 50s
> job 9
> at 200s launch job 9 on n2
at 201s submit -p high -L b:1 -t 100s --runs 10s
> job 10
at 202s show jobs
>  1 low    R   3:22 1 n1
>  3 low    R   3:22 1 n4
>  9 stop   R   0:02 1 n2
> 10 high   PD  0:00 1 (Licenses)
at 300s show jobs
> at 250s job 9 COMPLETED
> at 250s terminate job 9 on n2
> at 250.001s launch job 10 on n2
> at 260.001s job 10 COMPLETED
> at 260.001s terminate job 10 on n2
>  1 low    R   5:00 1 n1
>  3 low    R   5:00 1 n4
What is kept for a job that waits before it is not for it: none is ended in vain for job 14, as long as 13 waits for both and 12 keeps one.
at 400s cancel 1
> at 400s job 1 CANCELLED
> at 400s terminate job 1 on n1
at 400s cancel 3
> at 400s job 3 CANCELLED
> at 400s terminate job 3 on n4
at 401s submit -L b:1 -p low -t 1000s --runs 1000s
> job 11
> at 401s launch job 11 on n1
at 401s submit -L b:1 -p high -t 100s --runs 100s
> job 12
> at 401s launch job 12 on n2
at 402s submit -p high -L b:2 -t 100s --runs 10s
> job 13
at 403s submit -p high -L b:1 -t 200s --runs 10s
> job 14
at 404s show jobs
> 11 low    R   0:03 1 n1
> 12 high   R   0:03 1 n2
> 13 high   PD  0:00 1 (Licenses)
> 14 high   PD  0:00 1 (Licenses)
at 600s show jobs
> at 501s job 12 COMPLETED
> at 501s terminate job 12 on n2
> at 501s job 11 PREEMPTED
> at 501s terminate job 11 on n1
> at 501.001s launch job 13 on n1
> at 511.001s job 13 COMPLETED
> at 511.001s terminate job 13 on n1
> at 511.002s launch job 14 on n1
> at 521.002s job 14 COMPLETED
> at 521.002s terminate job 14 on n1
