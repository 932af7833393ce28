Launches that fail again and again: neither a node nor a job goes round without end.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=100
ReturnToService=1
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s fault launch-fails n1
Three failures in a row drain the node, if they are not all one user's: those may be the fault of the jobs.
at 1s submit -w n1 --uid=1001
> job 1
> at 1s launch job 1 on n1
at 2s submit -w n1 --uid=1001
> at 1.001s job 1 is requeued
> job 2
> at 2s launch job 2 on n1
at 3s submit -w n1 --uid=1001
> at 2.001s job 2 is requeued
> job 3
> at 3s launch job 3 on n1
at 4s show node n1
> at 3.001s job 3 is requeued
> n1 IDLE (idle, idle)
at 5s submit -w n1 --uid=1002
> job 4
> at 5s launch job 4 on n1
at 6s show node n1
> at 5.001s job 4 is requeued
> n1 IDLE+DRAIN (drain, drained) Reason=Launches fail
at 6s show jobs
>  1 p      PD  0:00 1 (launch failed requeued held)
>  2 p      PD  0:00 1 (launch failed requeued held)
>  3 p      PD  0:00 1 (launch failed requeued held)
>  4 p      PD  0:00 1 (launch failed requeued held)
Put back, it starts from zero; one launch that works does as well.
at 7s admin n1 RESUME
at 8s submit -w n1 --uid=1001
> job 5
> at 8s launch job 5 on n1
at 9s submit -w n1 --uid=1002
> at 8.001s job 5 is requeued
> job 6
> at 9s launch job 6 on n1
at 10s repair n1
> at 9.001s job 6 is requeued
at 11s submit -w n1 --uid=1001 --runs 1s
> job 7
> at 11s launch job 7 on n1
at 15s fault launch-fails n1
> at 12s job 7 COMPLETED
> at 12s terminate job 7 on n1
at 16s submit -w n1 --uid=1001
> job 8
> at 16s launch job 8 on n1
at 17s submit -w n1 --uid=1002
> at 16.001s job 8 is requeued
> job 9
> at 17s launch job 9 on n1
at 18s show node n1
> at 17.001s job 9 is requeued
> n1 IDLE (idle, idle)
at 19s repair n1
An agent that does not survive a launch: after the third the job is held.
at 20s fault never-answers n2
at 20s submit -w n2 --runs 10s
> job 10
> at 20s launch job 10 on n2
at 21s restart n2
at 23s restart n2
> at 22s launch job 10 on n2
at 25s restart n2
> at 24s launch job 10 on n2
at 30s show jobs
> at 26s job 10 is requeued
>  1 p      PD  0:00 1 (launch failed requeued held)
>  2 p      PD  0:00 1 (launch failed requeued held)
>  3 p      PD  0:00 1 (launch failed requeued held)
>  4 p      PD  0:00 1 (launch failed requeued held)
>  5 p      PD  0:00 1 (launch failed requeued held)
>  6 p      PD  0:00 1 (launch failed requeued held)
>  8 p      PD  0:00 1 (launch failed requeued held)
>  9 p      PD  0:00 1 (launch failed requeued held)
> 10 p      PD  0:00 1 (launch failed requeued held)
at 30s repair n2
A node with dying step daemons: the job is requeued at once the first time, then after two minutes each time.
at 40s submit -w n2 --runs 1000s
> job 11
> at 40s launch job 11 on n2
at 41s admin n2 DOWN broken
> at 41s terminate job 11 on n2 at once
> at 41s job 11 is requeued
at 42s admin n2 RESUME
> at 42s launch job 11 on n2
at 43s admin n2 DOWN broken
> at 43s terminate job 11 on n2 at once
> at 43s job 11 is requeued
at 44s admin n2 RESUME
at 45s show jobs
>  1 p      PD  0:00 1 (launch failed requeued held)
>  2 p      PD  0:00 1 (launch failed requeued held)
>  3 p      PD  0:00 1 (launch failed requeued held)
>  4 p      PD  0:00 1 (launch failed requeued held)
>  5 p      PD  0:00 1 (launch failed requeued held)
>  6 p      PD  0:00 1 (launch failed requeued held)
>  8 p      PD  0:00 1 (launch failed requeued held)
>  9 p      PD  0:00 1 (launch failed requeued held)
> 10 p      PD  0:00 1 (launch failed requeued held)
> 11 p      PD  0:00 1 (BeginTime)
at 200s show jobs
> at 164s launch job 11 on n2
>  1 p      PD  0:00 1 (launch failed requeued held)
>  2 p      PD  0:00 1 (launch failed requeued held)
>  3 p      PD  0:00 1 (launch failed requeued held)
>  4 p      PD  0:00 1 (launch failed requeued held)
>  5 p      PD  0:00 1 (launch failed requeued held)
>  6 p      PD  0:00 1 (launch failed requeued held)
>  8 p      PD  0:00 1 (launch failed requeued held)
>  9 p      PD  0:00 1 (launch failed requeued held)
> 10 p      PD  0:00 1 (launch failed requeued held)
> 11 p      R   0:36 1 n2
at 201s cancel 11
> at 201s job 11 CANCELLED
> at 201s terminate job 11 on n2
