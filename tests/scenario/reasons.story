Why jobs wait that the pass does not come to, as the partition is full: it is right all the same, and changes with its cause.
conf
SelectType=select/linear
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=60 DefaultTime=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N2 --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1
> job 2
at 3s submit -N1 -t 90m
> job 3
at 3s submit -N1 --begin 20s
> job 4
at 4s submit -N1 --hold
> job 5
at 5s show jobs
>  1 p      R   0:04 2 n[1-2]
>  2 p      PD  0:00 1 (Resources)
>  3 p      PD  0:00 1 (PartitionTimeLimit)
>  4 p      PD  0:00 1 (BeginTime)
>  5 p      PD  0:00 1 (JobHeldUser)
at 25s show jobs
>  1 p      R   0:24 2 n[1-2]
>  2 p      PD  0:00 1 (Resources)
>  3 p      PD  0:00 1 (PartitionTimeLimit)
>  4 p      PD  0:00 1 (Priority)
>  5 p      PD  0:00 1 (JobHeldUser)
at 26s release 5
at 27s show jobs
>  1 p      R   0:26 2 n[1-2]
>  2 p      PD  0:00 1 (Resources)
>  3 p      PD  0:00 1 (PartitionTimeLimit)
>  4 p      PD  0:00 1 (Priority)
>  5 p      PD  0:00 1 (Priority)
A partition that takes longer jobs now.
conf
SelectType=select/linear
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=100 DefaultTime=10
end
at 30s show jobs
>  1 p      R   0:29 2 n[1-2]
>  2 p      PD  0:00 1 (Resources)
>  3 p      PD  0:00 1 (Priority)
>  4 p      PD  0:00 1 (Priority)
>  5 p      PD  0:00 1 (Priority)
conf
SelectType=select/linear
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=5 DefaultTime=5
end
at 31s show jobs
>  1 p      R   0:30 2 n[1-2]
>  2 p      PD  0:00 1 (Resources)
>  3 p      PD  0:00 1 (PartitionTimeLimit)
>  4 p      PD  0:00 1 (Priority)
>  5 p      PD  0:00 1 (Priority)
