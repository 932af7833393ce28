A job that is over but not off its nodes yet is sent back to the queue: it runs again as soon as it has left them.
conf
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
MinJobAge=100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s delay gone 5s
Cancelled, failed, at its time limit.
at 1s submit -N2 --exclusive --runs 100s
> job 1
> at 1s launch job 1 on n1
at 10s cancel 1
> at 10s job 1 CANCELLED
> at 10s terminate job 1 on n1
at 11s requeue 1
at 11s show jobs
>  1 p      CG  0:00 2 n[1-2]
at 11s requeue 1
> refused: Job is pending execution
at 12s submit -d afterany:1 --runs 1s
> job 2
at 16s show jobs
> at 15s launch job 1 on n1
>  1 p      R   0:01 2 n[1-2]
>  2 p      PD  0:00 1 (Dependency)
at 16s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=1 RunTime=00:00:01 Nodes=n[1-2] CPUs=4 Exit=0:0
at 200s show jobs
> at 115s job 1 COMPLETED
> at 115s terminate job 1 on n1
> at 120s launch job 2 on n1
> at 121s job 2 COMPLETED
> at 121s terminate job 2 on n1
at 201s submit --runs 9s --exit=3
> job 3
> at 201s launch job 3 on n1
at 211s requeuehold 3
> at 210s job 3 FAILED
> at 210s terminate job 3 on n1
at 212s show jobs
>  3 p      CG  0:00 1 n1
at 220s show jobs
>  3 p      PD  0:00 1 (job requeued in held state)
at 221s release 3
> at 221s launch job 3 on n1
at 240s show job 3
> at 230s job 3 FAILED
> at 230s terminate job 3 on n1
> job 3 FAILED Reason=NonZeroExitCode Priority=4294901756 Restarts=1 RunTime=00:00:09 Nodes=n1 CPUs=1 Exit=3:0
at 300s submit -t 1m --runs 2m
> job 4
> at 300s launch job 4 on n1
at 362s requeue 4
> at 360s job 4 TIMEOUT
> at 360s terminate job 4 on n1
at 370s show job 4
> at 365s launch job 4 on n1
> job 4 RUNNING Reason=None Priority=4294901755 Restarts=1 RunTime=00:00:05 Nodes=n1 CPUs=1 Exit=0:0
Back and cancelled on its way.
at 400s cancel 4
> at 400s job 4 CANCELLED
> at 400s terminate job 4 on n1
at 401s requeue 4
at 402s cancel 4
> at 402s job 4 CANCELLED
at 403s show jobs
>  4 p      CG  0:35 1 n1
at 410s show job 4
> job 4 CANCELLED Reason=None Priority=4294901755 Restarts=2 RunTime=00:00:35 Nodes=n1 CPUs=1 Exit=0:0
Not one that may not.
at 500s submit --no-requeue --runs 9s
> job 5
> at 500s launch job 5 on n1
at 510s requeue 5
> at 509s job 5 COMPLETED
> at 509s terminate job 5 on n1
> refused: Requested operation is presently disabled
