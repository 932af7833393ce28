MaxBatchRequeue: how often a job goes back to the queue after launches that failed before it is held.
conf
NodeName=n1 CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=10 DefaultTime=5
MaxBatchRequeue=1
Prolog=/prolog
PrologFlags=DeferBatch
SchedulerParameters=nohold_on_prolog_fail
end
at 0s hush agents
> at 0s n1 registers
at 1s submit --runs 1000s
> job 1
> at 1s prolog n1
Requeues by its user do not count, be they ever so many.
at 2s requeue 1
> at 1s launch job 1 on n1
> at 2s job 1 is requeued
> at 2s terminate job 1 on n1
at 4s requeue 1
> at 2.001s prolog n1
> at 2.001s launch job 1 on n1
> at 4s job 1 is requeued
> at 4s terminate job 1 on n1
at 6s requeue 1
> at 4.001s prolog n1
> at 4.001s launch job 1 on n1
> at 6s job 1 is requeued
> at 6s terminate job 1 on n1
Nor does a lost node.
at 9s admin n1 DOWN broken
> at 6.001s prolog n1
> at 6.001s launch job 1 on n1
> at 9s terminate job 1 on n1 at once
> at 9s job 1 is requeued
at 10s admin n1 RESUME
at 202s show job 1
> at 130s prolog n1
> at 130s launch job 1 on n1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=4 RunTime=00:01:12 Nodes=n1 CPUs=1 Exit=0:0
The first launch that fails may be followed by another one.
at 203s fault prolog-fails n1
at 204s requeue 1
> at 204s job 1 is requeued
> at 204s terminate job 1 on n1
at 206s show job 1
> at 204.001s prolog n1
> at 204.001s job 1 is requeued
> at 204.001s terminate job 1 on n1
> job 1 PENDING Reason=Resources Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions Priority=4294901759 Restarts=6 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 207s admin n1 RESUME
> at 207s prolog n1
at 209s show job 1
> at 207s job 1 is requeued
> at 207s terminate job 1 on n1
> job 1 PENDING Reason=JobHoldMaxRequeue Priority=0 Restarts=7 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
It is held also by the controller that comes next; then an operator's release lets it run.
at 210s kill
at 211s repair n1
at 212s admin n1 RESUME
at 213s show job 1
> job 1 PENDING Reason=JobHoldMaxRequeue Priority=0 Restarts=7 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 214s release 1
> at 214s prolog n1
at 216s show job 1
> at 214s launch job 1 on n1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=7 RunTime=00:00:02 Nodes=n1 CPUs=1 Exit=0:0
at 217s requeue 1
> at 217s job 1 is requeued
> at 217s terminate job 1 on n1
at 219s show job 1
> at 217.001s prolog n1
> at 217.001s launch job 1 on n1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=8 RunTime=00:00:01 Nodes=n1 CPUs=1 Exit=0:0
