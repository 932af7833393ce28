preempt/qos: a node that a victim was requeued from is kept for its preemptor, also against jobs before it in the queue that it would requeue as well.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PreemptMode=REQUEUE
PreemptType=preempt/qos
NodeName=n1 CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=above Nodes=ALL PriorityTier=2
MinJobAge=1000
end
at 0s hush agents
> at 0s n1 registers
at 0s sacctmgr add qos high preempt=normal
at 1s submit -p above -n2 -t 10m --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -p above -n2 -t 10m --runs 300s
> job 2
at 2s submit -p above -n2 -t 10m --runs 300s
> job 3
at 2s submit -p above -n2 -t 10m --runs 300s
> job 4
at 3s submit -n2 -q high -t 10m --runs 10s
> job 5
at 110s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101.001s launch job 2 on n1
> at 101.001s job 2 is requeued
> at 101.001s terminate job 2 on n1
> at 101.002s launch job 5 on n1
>  2 above  PD  0:00 1 (BeginTime)
>  3 above  PD  0:00 1 (Resources)
>  4 above  PD  0:00 1 (Priority)
>  5 p      R   0:08 1 n1
The others go on when it is through.
at 200s show jobs
> at 111.002s job 5 COMPLETED
> at 111.002s terminate job 5 on n1
> at 111.003s launch job 3 on n1
>  2 above  PD  0:00 1 (BeginTime)
>  3 above  R   1:28 1 n1
>  4 above  PD  0:00 1 (Resources)
at 201s cancel 3
> at 201s job 3 CANCELLED
> at 201s terminate job 3 on n1
at 201s cancel 4
> at 201s job 4 CANCELLED
at 400s show jobs
> at 222.001s launch job 2 on n1
>  2 above  R   2:57 1 n1
