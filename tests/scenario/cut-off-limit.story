A job on a node that is cut off when its time is over: what its agent has to say is waited for, as long as SlurmdTimeout.
conf
SelectType=select/cons_tres
ReturnToService=2
SlurmdTimeout=100
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-2] CPUs=2 RealMemory=1000
PartitionName=DEFAULT Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES GraceTime=20
PartitionName=high PriorityTier=2
end
It ended well before its limit.
at 0s submit -w n1 -c2 -t 60s --runs 50s
> at 0s n1 registers
> at 0s n2 registers
> job 1
> at 0s launch job 1 on n1
at 45s cut n1
> at 45s n1 is lost
at 70s show jobs
>  1 low    R   1:10 1 n1
at 80s mend n1
> at 80s n1 registers
> at 80s job 1 COMPLETED
> at 80s terminate job 1 on n1
at 81s show jobs
It did not: the limit is judged when the node is back.
at 100s submit -w n1 -c2 -t 60s --runs 500s
> job 2
> at 100s launch job 2 on n1
at 150s cut n1
> at 150s n1 is lost
at 170s show jobs
>  2 low    R   1:10 1 n1
at 180s mend n1
> at 180s n1 registers
at 181s show jobs
> at 180s job 2 TIMEOUT
> at 180s terminate job 2 on n1
GraceTime is no other limit.
at 200s submit -w n1 -c2 -t 600s --runs 30s
> job 3
> at 200s launch job 3 on n1
at 210s submit -p high -w n1 -c2 -t 600s --runs 10s
> job 4
> at 210s signal job 3 on n1
> at 210s signal job 3 on n1
at 215s cut n1
> at 215s n1 is lost
at 235s show jobs
>  3 low    R   0:35 1 n1
>  4 high   PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
at 240s mend n1
> at 240s n1 registers
> at 240s job 3 PREEMPTED
> at 240s terminate job 3 on n1
at 270s show jobs
> at 240.001s launch job 4 on n1
> at 250.001s job 4 COMPLETED
> at 250.001s terminate job 4 on n1
The node does not come back: it was lost before the time was over.
at 300s submit -w n2 -c2 -t 60s --runs 50s
> job 5
> at 300s launch job 5 on n2
at 345s cut n2
> at 345s n2 is lost
at 440s show jobs
>  5 low    R   2:20 1 n2
at 446s show jobs
> at 445s job 5 is requeued
>  5 low    PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n2)
