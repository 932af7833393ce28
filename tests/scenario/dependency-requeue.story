A job that was cancelled while it waited for another, and is requeued when that one is over, waits no longer.
conf
SelectType=select/linear
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit --runs 20s
> job 1
> at 1s launch job 1 on n1
at 2s submit -d afterany:1
> job 2
at 3s submit -d afternotok:1
> job 3
at 4s cancel 2
> at 4s job 2 CANCELLED
at 4s cancel 3
> at 4s job 3 CANCELLED
at 30s requeue 2
> at 21s job 1 COMPLETED
> at 21s terminate job 1 on n1
> at 30s launch job 2 on n1
at 31s requeue 3
at 32s show jobs
>  2 p      R   0:02 1 n1
>  3 p      PD  0:00 1 (DependencyNeverSatisfied)
