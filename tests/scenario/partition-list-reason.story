A job waits for two partitions, is too large for the first, and no pass comes to it in the second, where others wait before it: that is why it waits.
conf
SchedulerType=sched/builtin
SelectType=select/linear
NodeName=n[1-4] CPUs=2
PartitionName=small Nodes=n[1-4] MaxNodes=1 MaxTime=60
PartitionName=main Nodes=n[1-4] Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N3 -p main --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N4 -p main --runs 100s
> job 2
at 3s submit -N2 -p small --runs 100s
> job 3
at 4s submit -N2 -p small,main --runs 100s
> job 4
at 5s show jobs
>  1 main   R   0:04 3 n[1-3]
>  2 main   PD  0:00 4 (Resources)
>  3 small  PD  0:00 2 (PartitionNodeLimit)
>  4 small  PD  0:00 2 (Priority)
What holds for the job in all partitions is said, wherever a pass has looked at it.
at 6s submit -N2 -p small,main --begin 100s --runs 100s
> job 5
at 7s show jobs
>  1 main   R   0:06 3 n[1-3]
>  2 main   PD  0:00 4 (Resources)
>  3 small  PD  0:00 2 (PartitionNodeLimit)
>  4 small  PD  0:00 2 (Priority)
>  5 small  PD  0:00 2 (BeginTime)
