A node of a job goes down and the job goes back to the queue before its trigger is looked at: that was its node.
conf
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
SlurmdTimeout=0
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 20s submit -w n1 -n1 --requeue --runs 100s
> job 1
> at 20s launch job 1 on n1
at 21s trigger down job=1
> trigger 1
at 22s trigger up job=1
> trigger 2
at 30s update NodeName=n1 State=DOWN Reason=x
> at 30s terminate job 1 on n1 at once
> at 30s job 1 is requeued
at 31s show jobs
>  1 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
at 60s kill
> at 45s trigger 1 1
> at 60s trigger 1 1
at 61s show jobs
>  1 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
