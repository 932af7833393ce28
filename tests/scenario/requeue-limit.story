MaxBatchRequeue: how often a job goes back to the queue before it is held.
conf
NodeName=n1 CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=10 DefaultTime=5
MaxBatchRequeue=1
end
at 0s hush agents
> at 0s n1 registers
at 1s submit --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s requeue 1
> at 2s job 1 is requeued
> at 2s terminate job 1 on n1
at 4s requeue 1
> at 2.001s launch job 1 on n1
> at 4s job 1 is requeued
> at 4s terminate job 1 on n1
at 5s show job 1
> job 1 PENDING Reason=JobHoldMaxRequeue Priority=0 Restarts=2 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
