A job with a begin time comes before another one that is planned on its node: it starts when its time has come.
conf
NodeName=n[1-2] CPUs=4
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1
PartitionName=mid Nodes=n[1-2] PriorityTier=5
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s submit -N1 -w n2 -p mid --exclusive -t 30m --runs 1700s
> job 1
> at 0s launch job 1 on n2
at 1s submit --begin 200s -N1 -w n1 -p low --exclusive -t 2h --runs 1h
> job 2
at 2s submit -N2 -p low --exclusive -t 30m --runs 1700s
> job 3
at 199s show plan
> 2 is not planned
> 3 at 1800s on n[1-2] until 3600s
at 210s show jobs
> at 201s launch job 2 on n1
>  1 mid    R   3:30 1 n2
>  2 low    R   0:09 1 n1
>  3 low    PD  0:00 2 (Resources)
at 210s show plan
> 3 at 7401s on n[1-2] until 9201s
at 1750s show jobs
> at 1700s job 1 COMPLETED
> at 1700s terminate job 1 on n2
>  2 low    R  25:49 1 n1
>  3 low    PD  0:00 2 (Resources)
