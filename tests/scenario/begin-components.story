Components have begin times of their own, and a plan at the last of them: it stays theirs when the others have come.
conf
NodeName=n[1-4] CPUs=4
PartitionName=low Nodes=n[1-4] Default=YES PriorityTier=1
PartitionName=mid Nodes=n[1-4] PriorityTier=5
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s submit -N1 -w n3 -p mid --exclusive -t 30m --runs 1700s
> job 1
> at 0s launch job 1 on n3
at 1s submit -N1 -w n1 -p low --exclusive -t 2h --runs 1h : --begin 200s -N1 -w n2 -p low --exclusive -t 2h : --begin 100s -N1 -w n4 -p low --exclusive -t 2h
> job 2, with components up to 4
at 3s submit -N1 -w n2 -p low --exclusive -t 2h --runs 1h
> job 5
at 99s show plan
> 2 at 201s on n1 until 7401s
> 5 at 7401s on n2 until 14601s
> 3 at 201s on n2 until 7401s
> 4 at 201s on n4 until 7401s
at 110s show jobs
>  1 mid    R   1:50 1 n3
>  2 low    PD  0:00 1 (BeginTime)
>  3 low    PD  0:00 1 (BeginTime)
>  4 low    PD  0:00 1 (BeginTime)
>  5 low    PD  0:00 1 (Resources)
at 210s show jobs
> at 201s launch job 2 on n1
>  1 mid    R   3:30 1 n3
>  2 low    R   0:09 1 n1
>  3 low    R   0:09 1 n2
>  4 low    R   0:09 1 n4
>  5 low    PD  0:00 1 (Resources)
at 210s show plan
> 5 at 7401s on n2 until 14601s
at 1750s show jobs
> at 1700s job 1 COMPLETED
> at 1700s terminate job 1 on n3
>  2 low    R  25:49 1 n1
>  3 low    R  25:49 1 n2
>  4 low    R  25:49 1 n4
>  5 low    PD  0:00 1 (Resources)
