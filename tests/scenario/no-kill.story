--no-kill: a lost node leaves all that the job has at once, and is the job's no more; the controller that comes next finds it so.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=30
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=60
ResumeTimeout=60
ReturnToService=1
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N3 -n12 --no-kill -t 90m --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:01 Nodes=n[1-3] CPUs=12 Exit=0:0
at 3s cut n3
at 60s show job 1
> at 60s suspend n4
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:59 Nodes=n[1-2] CPUs=8 Exit=0:0
at 60s show nodes
> n[1-2] alloc
> n3 down*
> n4 idle%
at 60s show why n3
> n3 silent since 3s until -: DOWN: Not responding; idle, off after SuspendTime
The rest is as it was, also for the next controller.
at 61s kill
at 62s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:01:01 Nodes=n[1-2] CPUs=8 Exit=0:0
Another job gets nothing of it, and n3 when that is back.
at 63s mend n3
at 70s submit -w n3 -n4 --runs 10s
> job 2
> at 70s launch job 2 on n3
at 100s show jobs
> at 80s job 2 COMPLETED
> at 80s terminate job 2 on n3
>  1 p      R   1:39 2 n[1-2]
at 100s show why n3
> n3 registered since 80.001s until 140.001s: idle, off after SuspendTime
A second one goes, too; without the last the job is over.
at 110s admin n2 DOWN broken
at 111s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:01:50 Nodes=n1 CPUs=4 Exit=0:0
at 112s admin n1 DOWN broken
> at 112s terminate job 1 on n1 at once
> at 112s job 1 is requeued
at 120s show job 1
> job 1 PENDING Reason=Resources Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions Priority=4294901759 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
