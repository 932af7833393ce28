A heterogeneous job as victim: only if all of its components may be preempted, and then all of them, by the highest of their modes.
conf
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-6] CPUs=4
PartitionName=low Nodes=n[1-6] Default=YES PriorityTier=1 PreemptMode=CANCEL GraceTime=0
PartitionName=back Nodes=n[1-6] PriorityTier=1 PreemptMode=REQUEUE GraceTime=30
PartitionName=off Nodes=n[1-6] PriorityTier=1 PreemptMode=OFF
PartitionName=high Nodes=n[1-6] PriorityTier=10
end
at 0s submit -N1 -p low --exclusive --runs 100s : -N1 -p off --exclusive
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> job 1, with components up to 2
> at 0s launch job 1 on n1
at 0s submit -N1 -p low --exclusive --runs 100s : -N1 -p back --exclusive
> job 3, with components up to 4
> at 0s launch job 3 on n3
at 1s show jobs
>  1 low    R   0:01 1 n1
>  2 off    R   0:01 1 n2
>  3 low    R   0:01 1 n3
>  4 back   R   0:01 1 n4
Of the first one a component may not be preempted, so n1 is no find; of the second both go, when the longest GraceTime is over.
at 2s submit -N3 -p high --exclusive --runs 50s
> job 5
> at 2s signal job 3 on n3
> at 2s signal job 3 on n3
at 3s show jobs
>  1 low    R   0:03 1 n1
>  2 off    R   0:03 1 n2
>  3 low    R   0:03 1 n3
>  4 back   R   0:03 1 n4
>  5 high   PD  0:00 3 (Resources)
at 33s show jobs
> at 32s job 4 is requeued
> at 32s job 3 is requeued
> at 32s terminate job 3 on n3
> at 32s launch job 5 on n4
>  1 low    R   0:33 1 n1
>  2 off    R   0:33 1 n2
>  3 low    PD  0:00 1 (Resources)
>  4 back   PD  0:00 1 (Resources)
>  5 high   R   0:01 3 n[4-6]
at 34s show jobs
>  1 low    R   0:34 1 n1
>  2 off    R   0:34 1 n2
>  3 low    PD  0:00 1 (Resources)
>  4 back   PD  0:00 1 (Resources)
>  5 high   R   0:02 3 n[4-6]
at 90s show jobs
> at 82s job 5 COMPLETED
> at 82s terminate job 5 on n4
> at 82s launch job 3 on n3
>  1 low    R   1:30 1 n1
>  2 off    R   1:30 1 n2
>  3 low    R   0:08 1 n3
>  4 back   R   0:08 1 n5
at 240s show jobs
> at 100s job 1 COMPLETED
> at 100s terminate job 1 on n1
> at 100s job 2 COMPLETED
> at 182s job 3 COMPLETED
> at 182s terminate job 3 on n3
> at 182s job 4 COMPLETED
As preemptor: victims of both components are told at once, and both start when all are gone.
at 300s submit -N5 -p back --exclusive --runs 100s
> job 6
> at 300s launch job 6 on n1
at 301s submit -N2 -p high --exclusive --runs 20s : -N2 -p high --exclusive
> job 7, with components up to 8
> at 301s signal job 6 on n1
> at 301s signal job 6 on n1
at 302s show jobs
>  6 back   R   0:02 5 n[1-5]
>  7 high   PD  0:00 2 (Resources)
>  8 high   PD  0:00 2 (Resources)
at 332s show jobs
> at 331s job 6 is requeued
> at 331s terminate job 6 on n1
> at 331s launch job 7 on n2
>  6 back   PD  0:00 5 (Resources)
>  7 high   R   0:01 2 n[2-3]
>  8 high   R   0:01 2 n[4-5]
at 360s show jobs
> at 351s job 7 COMPLETED
> at 351s terminate job 7 on n2
> at 351s job 8 COMPLETED
> at 351s launch job 6 on n1
>  6 back   R   0:09 5 n[1,3-6]
