A job that cannot be frozen is preempted in the next way that the site has: as the cluster's PreemptMode says.
conf
SelectType=select/linear
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE,GANG
NodeName=n[1-2] CPUs=4
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1 PreemptMode=SUSPEND
PartitionName=high Nodes=n[1-2] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s submit -w n1 -t 1h --runs 100s
> job 1
> at 0s launch job 1 on n1
at 10s fault cannot-freeze n1
at 10s submit -p high -w n1 -t 1h --runs 30s
> job 2
> at 10s freeze job 1 on n1
at 40s show jobs
> at 20s job 1 is requeued
> at 20s terminate job 1 on n1
> at 20.001s launch job 2 on n1
>  1 low    PD  0:00 1 (Resources)
>  2 high   R   0:19 1 n1
at 40s repair n1
It may be suspended when it runs again.
at 60s show jobs
> at 50.001s job 2 COMPLETED
> at 50.001s terminate job 2 on n1
> at 50.002s launch job 1 on n1
>  1 low    R   0:09 1 n1
at 70s submit -p high -w n1 -t 1h --runs 30s
> job 3
> at 70s freeze job 1 on n1
at 75s show jobs
> at 70.001s launch job 3 on n1
>  1 low    S   0:19 1 n1
>  3 high   R   0:04 1 n1
A node that does not answer says nothing of the job: it is left alone.
at 200s submit -w n2 -t 1h --runs 1000s
> at 100.001s job 3 COMPLETED
> at 100.001s terminate job 3 on n1
> at 100.002s thaw job 1 on n1
> at 180.004s job 1 COMPLETED
> at 180.004s terminate job 1 on n1
> job 4
> at 200s launch job 4 on n2
at 201s fault never-answers n2
at 202s submit -p high -w n2 -t 1h --runs 30s
> job 5
> at 202s freeze job 4 on n2
at 240s show jobs
> at 222s thaw job 4 on n2
>  4 low    R   0:20 1 n2
>  5 high   PD  0:00 1 (Resources)
