What may happen to a job: limits, begin, hold, requeue, cancel, a script that fails or is not launched.
conf
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=10 DefaultTime=5
MaxJobCount=20
MinJobAge=100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -c2 -t 60s
> job 1
> at 1s launch job 1 on n1
at 62s show job 1
> at 61s job 1 TIMEOUT
> at 61s terminate job 1 on n1
> job 1 TIMEOUT Reason=TimeLimit Priority=4294901759 Restarts=0 RunTime=00:01:00 Nodes=n1 CPUs=2 Exit=0:0
at 63s submit --runs 1s --exit=3
> job 2
> at 63s launch job 2 on n1
at 65s show job 2
> at 64s job 2 FAILED
> at 64s terminate job 2 on n1
> job 2 FAILED Reason=NonZeroExitCode Priority=4294901758 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=3:0
at 70s submit --begin 20s --runs 5s
> job 3
at 71s show jobs
>  3 p      PD  0:00 1 (BeginTime)
at 91s show jobs
> at 90s launch job 3 on n1
>  3 p      R   0:01 1 n1
at 100s submit --hold --runs 5s
> at 95s job 3 COMPLETED
> at 95s terminate job 3 on n1
> job 4
at 101s show jobs
>  4 p      PD  0:00 1 (JobHeldUser)
at 102s urelease 4
> at 102s launch job 4 on n1
at 103s show jobs
>  4 p      R   0:01 1 n1
at 104s hold 4
at 110s hold 4
> at 107s job 4 COMPLETED
> at 107s terminate job 4 on n1
> refused: Job has already finished
at 111s submit --begin 5s
> job 5
at 112s hold 5
at 113s show jobs
>  5 p      PD  0:00 1 (JobHeldAdmin)
at 114s urelease 5
> refused: Access/permission denied
at 115s release 5
at 120s show jobs
> at 116s launch job 5 on n1
>  5 p      R   0:04 1 n1
at 121s cancel 5
> at 121s job 5 CANCELLED
> at 121s terminate job 5 on n1
Requeued five times, then held.
at 200s submit --runs 1000s
> job 6
> at 200s launch job 6 on n1
at 201s requeue 6
> at 201s job 6 is requeued
> at 201s terminate job 6 on n1
at 202s requeue 6
> at 201.001s launch job 6 on n1
> at 202s job 6 is requeued
> at 202s terminate job 6 on n1
at 203s requeue 6
> at 202.001s launch job 6 on n1
> at 203s job 6 is requeued
> at 203s terminate job 6 on n1
at 204s requeue 6
> at 203.001s launch job 6 on n1
> at 204s job 6 is requeued
> at 204s terminate job 6 on n1
at 205s requeue 6
> at 204.001s launch job 6 on n1
> at 205s job 6 is requeued
> at 205s terminate job 6 on n1
at 206s show job 6
> at 205.001s launch job 6 on n1
> job 6 RUNNING Reason=None Priority=4294901753 Restarts=5 RunTime=00:00:00 Nodes=n1 CPUs=1 Exit=0:0
at 207s requeue 6
> at 207s job 6 is requeued
> at 207s terminate job 6 on n1
at 208s show job 6
> at 207.001s launch job 6 on n1
> job 6 RUNNING Reason=None Priority=4294901753 Restarts=6 RunTime=00:00:00 Nodes=n1 CPUs=1 Exit=0:0
at 208s show jobs
>  6 p      R   0:00 1 n1
at 209s release 6
at 210s show jobs
>  6 p      R   0:02 1 n1
at 211s requeuehold 6
> at 211s job 6 is requeued
> at 211s terminate job 6 on n1
at 212s show jobs
>  6 p      PD  0:00 1 (job requeued in held state)
at 213s cancel 6
> at 213s job 6 CANCELLED
at 214s submit --no-requeue
> job 7
> at 214s launch job 7 on n1
at 215s requeue 7
> refused: Requested operation is presently disabled
at 216s cancel 7
> at 216s job 7 CANCELLED
> at 216s terminate job 7 on n1
A launch that fails: sent back and held.
at 220s fault launch-fails n[1-2]
at 221s submit --runs 5s
> job 8
> at 221s launch job 8 on n1
at 222s show jobs
> at 221.001s job 8 is requeued
>  8 p      PD  0:00 1 (launch failed requeued held)
at 223s repair n[1-2]
at 224s release 8
> at 224s launch job 8 on n1
at 230s show jobs
> at 229s job 8 COMPLETED
> at 229s terminate job 8 on n1
By signal and out of memory.
at 240s submit
> job 9
> at 240s launch job 9 on n1
at 241s ended 9 9
> at 241s job 9 FAILED
> at 241s terminate job 9 on n1
at 242s show job 9
> job 9 FAILED Reason=RaisedSignal Priority=4294901749 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=0:9
at 243s submit
> job 10
> at 243s launch job 10 on n1
at 244s ended 10 9 oom
> at 244s job 10 OUT_OF_MEMORY
> at 244s terminate job 10 on n1
at 245s show job 10
> job 10 OUT_OF_MEMORY Reason=OutOfMemory Priority=4294901748 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=0:9
Forgotten after MinJobAge.
at 344s show job 10
> no job 10
at 346s show job 10
> no job 10
at 347s submit -t 660s
> job 11
at 348s show jobs
> 11 p      PD  0:00 1 (PartitionTimeLimit)
