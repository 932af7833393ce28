Guide: --exclusive=user and --exclusive=mcs keep preemption among one user's, or one label's, jobs; GraceTime is of no use with SUSPEND, PreemptExemptTime is;
JobRequeue=0 makes REQUEUE a CANCEL, unless the job says --requeue.
conf
SelectType=select/linear
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
PreemptExemptTime=1:00
MCSPlugin=mcs/user
JobRequeue=0
NodeName=n[1-2] CPUs=2
PartitionName=DEFAULT Nodes=ALL OverSubscribe=FORCE:1
PartitionName=low Default=YES PriorityTier=1 GraceTime=60
PartitionName=back PriorityTier=1 PreemptMode=REQUEUE
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -w n1 --uid=1 --exclusive=user
> job 1
> at 1s launch job 1 on n1
at 3s submit -p high -w n1 --uid=1 --runs 10s
> job 2
at 4s show jobs
>  1 low    R   0:03 1 n1
>  2 high   PD  0:00 1 (Resources)
at 60s show jobs
>  1 low    R   0:59 1 n1
>  2 high   PD  0:00 1 (Resources)
at 62s show jobs
> at 61s freeze job 1 on n1
> at 61.001s launch job 2 on n1
>  1 low    S   1:00 1 n1
>  2 high   R   0:00 1 n1
at 80s show jobs
> at 71.001s job 2 COMPLETED
> at 71.001s terminate job 2 on n1
> at 71.002s thaw job 1 on n1
>  1 low    R   1:08 1 n1
Another user's job waits, however long the first has run.
at 82s submit -p high -w n1 --uid=2 --runs 1s
> job 3
at 89s show jobs
>  1 low    R   1:17 1 n1
>  3 high   PD  0:00 1 (Resources)
at 89s cancel 3
> at 89s job 3 CANCELLED
Another label, and then the same.
at 90s submit -w n2 --uid=1 --exclusive=mcs --mcs-label user1
> job 4
> at 90s launch job 4 on n2
at 91s submit -p high -w n2 --uid=2 --mcs-label user2 --runs 10s
> job 5
at 160s show jobs
>  1 low    R   2:28 1 n1
>  4 low    R   1:10 1 n2
>  5 high   PD  0:00 1 (Resources)
at 160s cancel 5
> at 160s job 5 CANCELLED
at 161s submit -p high -w n2 --uid=1 --mcs-label user1 --runs 5s
> job 6
> at 161s freeze job 4 on n2
at 162s show jobs
> at 161.001s launch job 6 on n2
>  1 low    R   2:30 1 n1
>  4 low    S   1:11 1 n2
>  6 high   R   0:00 1 n2
at 170s cancel 1
> at 166.001s job 6 COMPLETED
> at 166.001s terminate job 6 on n2
> at 166.002s thaw job 4 on n2
> at 170s job 1 CANCELLED
> at 170s terminate job 1 on n1
at 170s cancel 4
> at 170s job 4 CANCELLED
> at 170s terminate job 4 on n2
at 171s show jobs
at 200s show jobs
at 200s submit -p back -w n1 --uid=1
> job 7
> at 200s launch job 7 on n1
at 201s submit -p back -w n2 --uid=1 --requeue
> job 8
> at 201s launch job 8 on n2
at 202s submit -p high -N2 --uid=1 --runs 10s
> job 9
at 263s show jobs
> at 261s job 7 PREEMPTED
> at 261s terminate job 7 on n1
> at 261s job 8 is requeued
> at 261s terminate job 8 on n2
> at 261.001s launch job 9 on n1
>  8 back   PD  0:00 1 (Resources)
>  9 high   R   0:01 2 n[1-2]
at 280s show jobs
> at 271.001s job 9 COMPLETED
> at 271.001s terminate job 9 on n1
> at 271.001s launch job 8 on n2
>  8 back   R   0:08 1 n2
