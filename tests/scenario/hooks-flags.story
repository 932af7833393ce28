PrologFlags DeferBatch and ForceRequeueOnFail, nohold_on_prolog_fail; a controller that is restarted meanwhile.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=100
ReturnToService=1
KillWait=1
Prolog=/prolog
PrologFlags=DeferBatch,ForceRequeueOnFail
SchedulerParameters=nohold_on_prolog_fail
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s delay prolog 5s
The script waits for the prologs of all nodes.
at 1s fault never-answers n2
at 2s submit -N2 --runs 10s
> job 1
> at 2s prolog n[1-2]
at 10s show jobs
>  1 p      CF  0:00 2 n[1-2]
at 11s repair n2
A node that registers again is asked again.
at 12s restart n2
at 40s show jobs
> at 13s prolog n2
> at 18s launch job 1 on n1
> at 28s job 1 COMPLETED
> at 28s terminate job 1 on n1
> at 28s terminate job 1 on n2
A prolog that fails sends the job back, not held, whether it may be requeued or not.
at 41s fault prolog-fails n1
at 41s submit -w n1 --no-requeue --runs 1s
> job 2
> at 41s prolog n1
at 47s show jobs
> at 46s job 2 is requeued
> at 46s terminate job 2 on n1
>  2 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
at 48s repair n1
at 48s admin n1 RESUME
> at 48s prolog n1
at 60s show jobs
> at 53s launch job 2 on n1
> at 54s job 2 COMPLETED
> at 54s terminate job 2 on n1
An agent that says nothing, and stays connected, is asked again after five minutes.
at 100s fault never-answers n3
at 101s submit -w n3 --runs 10s
> job 3
> at 101s prolog n3
at 102s repair n3
at 500s show jobs
> at 401s prolog n3
> at 406s launch job 3 on n3
> at 416s job 3 COMPLETED
> at 416s terminate job 3 on n3
So is one whose prolog takes long: its first answer counts.
at 501s delay prolog 8m
at 502s submit -w n3 --runs 10s
> job 4
> at 502s prolog n3
at 1200s show jobs
> at 802s prolog n3
> at 982s launch job 4 on n3
> at 992s job 4 COMPLETED
> at 992s terminate job 4 on n3
