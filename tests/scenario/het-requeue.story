What goes back to the queue when a node fails, or by hand, and what may not.
conf
MinJobAge=10
ReturnToService=2
SlurmdTimeout=20
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-5] CPUs=4
PartitionName=p Nodes=n[1-5] Default=YES PriorityTier=1 PreemptMode=REQUEUE GraceTime=0
PartitionName=high Nodes=n[1-5] PriorityTier=10
end
One component may not run again, so none does: by hand the whole is refused, and a failed node ends all.
at 0s submit -N1 --requeue --runs 300s : -N1 --no-requeue : -N1 --requeue
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> job 1, with components up to 3
> at 0s launch job 1 on n1
at 1s requeue 1
> refused: Requested operation is presently disabled
at 5s cut n1
> at 5s n1 is lost
at 60s show jobs
> at 25s job 1 NODE_FAIL
> at 25s job 2 NODE_FAIL
> at 25s job 3 NODE_FAIL
at 61s mend n1
> at 61s n1 registers
> at 61s terminate job 1 on n1 at once
All may run again: a component that was cancelled long before is still known, and runs again with the others.
at 80s submit -N1 --requeue --runs 100s : -N1 : -N1
> job 4, with components up to 6
> at 80s launch job 4 on n1
at 85s cancel 6
> at 85s job 6 CANCELLED
at 150s show jobs
>  4 p      R   1:10 1 n1
>  5 p      R   1:10 1 n2
at 151s cut n2
> at 151s n2 is lost
at 180s show jobs
> at 171s job 5 is requeued
> at 171s job 4 is requeued
> at 171s terminate job 4 on n1
> at 171.001s launch job 4 on n1
>  4 p      R   0:08 1 n1
>  5 p      R   0:08 1 n3
>  6 p      R   0:08 1 n4
at 181s mend n2
> at 181s n2 registers
at 230s show jobs
>  4 p      R   0:58 1 n1
>  5 p      R   0:58 1 n3
>  6 p      R   0:58 1 n4
at 330s show jobs
> at 271.001s job 4 COMPLETED
> at 271.001s terminate job 4 on n1
> at 271.001s job 5 COMPLETED
> at 271.001s job 6 COMPLETED
The same, with a controller that died in between.
at 400s submit -N1 --requeue --runs 200s : -N1 : -N1
> job 7, with components up to 9
> at 400s launch job 7 on n1
at 405s cancel 8
> at 405s job 8 CANCELLED
at 450s kill
at 470s show jobs
> at 450.5s n1 registers
> at 450.597s n2 registers
> at 450.694s n3 registers
> at 450.791s n4 registers
> at 450.888s n5 registers
>  7 p      R   1:10 1 n1
>  9 p      R   1:10 1 n3
at 471s cut n1
> at 471s n1 is lost
at 500s show jobs
> at 491s job 7 is requeued
> at 491s job 9 is requeued
> at 491s launch job 7 on n2
>  7 p      R   0:09 1 n2
>  8 p      R   0:09 1 n3
>  9 p      R   0:09 1 n4
at 501s mend n1
> at 501s n1 registers
> at 501s terminate job 7 on n1 at once
at 900s show jobs
> at 691s job 7 COMPLETED
> at 691s terminate job 7 on n2
> at 691s job 8 COMPLETED
> at 691s job 9 COMPLETED
A preemptor requeues none of which one may not run again: all are cancelled, whether that one runs or not.
at 1000s submit -N1 --requeue --runs 300s : -N1 --no-requeue : -N1 --requeue
> job 10, with components up to 12
> at 1000s launch job 10 on n1
at 1005s cancel 11
> at 1005s job 11 CANCELLED
at 1030s submit -N5 -p high --exclusive --runs 10s
> job 13
> at 1030s job 10 PREEMPTED
> at 1030s terminate job 10 on n1
> at 1030s job 12 PREEMPTED
at 1040s show jobs
> at 1030.001s launch job 13 on n1
> 13 high   R   0:09 5 n[1-5]
at 1100s show jobs
> at 1040.001s job 13 COMPLETED
> at 1040.001s terminate job 13 on n1
