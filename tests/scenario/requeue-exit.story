Exit codes of RequeueExit send a batch job back to the queue, those of RequeueExitHold hold it there.
conf
NodeName=n1 CPUs=2
PartitionName=p Nodes=ALL Default=YES
RequeueExit=1-3,7
RequeueExitHold=7,100-110
end
at 0s submit -n1 --runs 5s --exit=2
> at 0s n1 registers
> job 1
> at 0s launch job 1 on n1
at 6s show jobs
> at 5s job 1 is requeued
> at 5s terminate job 1 on n1
>  1 p      PD  0:00 1 (BeginTime)
at 130s show jobs
> at 126s launch job 1 on n1
>  1 p      R   0:04 1 n1
at 131s cancel 1
> at 131s job 1 is requeued
> at 131s terminate job 1 on n1
> at 131s job 1 CANCELLED
Held: 7 is in both lists.
at 210s submit -n1 --runs 5s --exit=7
> job 2
> at 210s launch job 2 on n1
at 216s show job 2
> at 215s job 2 is requeued
> at 215s terminate job 2 on n1
> job 2 PENDING+SPECIAL_EXIT Reason=JobHeldUser job requeued in held state Priority=0 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=7:0
at 217s release 2
> at 217s launch job 2 on n1
at 217s show job 2
> job 2 RUNNING Reason=None Priority=4294901757 Restarts=1 RunTime=00:00:00 Nodes=n1 CPUs=1 Exit=0:0
at 224s show job 2
> at 222s job 2 is requeued
> at 222s terminate job 2 on n1
> job 2 PENDING+SPECIAL_EXIT Reason=JobHeldUser job requeued in held state Priority=0 Restarts=2 RunTime=00:00:00 Nodes= CPUs=0 Exit=7:0
at 225s cancel 2
> at 225s job 2 CANCELLED
Other codes end the job, as does one that is not to be requeued.
at 230s submit -n1 --runs 5s --exit=4
> job 3
> at 230s launch job 3 on n1
at 231s submit -n1 --no-requeue --runs 5s --exit=2
> job 4
at 240s show job 3
> at 235s job 3 FAILED
> at 235s terminate job 3 on n1
> at 235.001s launch job 4 on n1
> job 3 FAILED Reason=NonZeroExitCode Priority=4294901756 Restarts=0 RunTime=00:00:05 Nodes=n1 CPUs=1 Exit=4:0
at 240s show job 4
> job 4 RUNNING Reason=None Priority=4294901755 Restarts=0 RunTime=00:00:04 Nodes=n1 CPUs=1 Exit=0:0
The whole of it outlives a restart.
at 250s submit -n1 --runs 5s --exit=105
> at 240.001s job 4 FAILED
> at 240.001s terminate job 4 on n1
> job 5
> at 250s launch job 5 on n1
at 256s kill
> at 255s job 5 is requeued
> at 255s terminate job 5 on n1
at 257s show job 5
> at 256.5s n1 registers
> job 5 PENDING+SPECIAL_EXIT Reason=JobHeldUser job requeued in held state Priority=0 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=105:0
requeue_delay: each job that is requeued rests so long, however it was requeued.
conf
NodeName=n1 CPUs=2
PartitionName=p Nodes=ALL Default=YES
RequeueExit=1-3,7
RequeueExitHold=7,100-110
SchedulerParameters=requeue_delay=7
end
at 300s submit -n1 --runs 3s --exit=2
> job 6
> at 300s launch job 6 on n1
at 305s show jobs
> at 303s job 6 is requeued
> at 303s terminate job 6 on n1
>  5 p      PD  0:00 1 (job requeued in held state)
>  6 p      PD  0:00 1 (BeginTime)
at 315s cancel 6
> at 310.001s launch job 6 on n1
> at 313.001s job 6 is requeued
> at 313.001s terminate job 6 on n1
> at 315s job 6 CANCELLED
at 320s submit -n1 --runs 100s
> job 7
> at 320s launch job 7 on n1
at 325s requeue 7
> at 325s job 7 is requeued
> at 325s terminate job 7 on n1
at 326s show jobs
>  5 p      PD  0:00 1 (job requeued in held state)
>  7 p      PD  0:00 1 (BeginTime)
at 340s show jobs
> at 332.001s launch job 7 on n1
>  5 p      PD  0:00 1 (job requeued in held state)
>  7 p      R   0:07 1 n1
