A job that waits for the GraceTime of its victims is planned for its end, not for the end of their time limits; others behind it
are planned accordingly.
conf
SelectType=select/linear
PreemptMode=CANCEL
PreemptType=preempt/partition_prio
PreemptParameters=reclaim_licenses
Licenses=lic:1
NodeName=n[1-4] CPUs=1
PartitionName=DEFAULT Nodes=n[1-4] MaxTime=INFINITE
PartitionName=low Default=YES PriorityTier=1 GraceTime=60
PartitionName=high PriorityTier=2
end
One without a limit, one with a long one, and one that is at its end before that of GraceTime.
at 1s submit -w n1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1
> at 1s launch job 1 on n1
at 1s submit -w n2 -t 1000s
> job 2
> at 1s launch job 2 on n2
at 1s submit -w n3 -t 30s
> job 3
> at 1s launch job 3 on n3
at 10s submit -N4 -p high -t 100s
> job 4
> at 10s signal job 1 on n1
> at 10s signal job 1 on n1
> at 10s signal job 2 on n2
> at 10s signal job 2 on n2
> at 10s signal job 3 on n3
> at 10s signal job 3 on n3
at 11s submit -p high -t 200s
> job 5
at 12s show plan
> 4 at 70s on n[1-4] until 170s
> 5 at 170s on n1 until 370s
at 15s show jobs
>  1 low    R   0:14 1 n1
>  2 low    R   0:14 1 n2
>  3 low    R   0:14 1 n3
>  4 high   PD  0:00 4 (Resources)
>  5 high   PD  0:00 1 (Priority)
at 80s show jobs
> at 31s job 3 TIMEOUT
> at 31s terminate job 3 on n3
> at 70s job 2 PREEMPTED
> at 70s terminate job 2 on n2
> at 70s job 1 PREEMPTED
> at 70s terminate job 1 on n1
> at 70.001s launch job 4 on n1
>  4 high   R   0:09 4 n[1-4]
>  5 high   PD  0:00 1 (Resources)
at 80s cancel 4
> at 80s job 4 CANCELLED
> at 80s terminate job 4 on n1
> at 80s launch job 5 on n2
at 80s cancel 5
> at 80s job 5 CANCELLED
> at 80s terminate job 5 on n2

Of licenses the same.
at 100s submit -w n1 -L lic:1
> job 6
> at 100s launch job 6 on n1
at 110s submit -p high -L lic:1 -t 100s
> job 7
> at 110s signal job 6 on n1
> at 110s signal job 6 on n1
at 111s show plan
> 7 at 170s on n1 until 270s
at 115s show jobs
>  6 low    R   0:15 1 n1
>  7 high   PD  0:00 1 (Licenses)
at 180s show jobs
> at 170s job 6 PREEMPTED
> at 170s terminate job 6 on n1
> at 170.001s launch job 7 on n1
>  7 high   R   0:09 1 n1
