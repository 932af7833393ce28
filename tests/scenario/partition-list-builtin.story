Without backfill: a job that starts in its second partition leaves the first one to those behind it at once.
conf
SchedulerType=sched/builtin
SelectType=select/linear
NodeName=n[1-4] CPUs=2
PartitionName=a Nodes=n[1-2] Default=YES
PartitionName=b Nodes=n[3-4]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N1 -p a --runs 300s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N2 -p b --runs 100s
> job 2
> at 2s launch job 2 on n3
at 3s submit -N2 -p a,b --runs 100s
> job 3
at 4s submit -N1 -p a --runs 100s
> job 4
at 5s show jobs
>  1 a      R   0:04 1 n1
>  2 b      R   0:03 2 n[3-4]
>  3 a      PD  0:00 2 (Resources)
>  4 a      PD  0:00 1 (Priority)
at 110s show jobs
> at 102s job 2 COMPLETED
> at 102s terminate job 2 on n3
> at 102.001s launch job 3 on n3
> at 102.001s launch job 4 on n2
>  1 a      R   1:49 1 n1
>  3 b      R   0:07 2 n[3-4]
>  4 a      R   0:07 1 n2
at 400s show jobs
> at 202.001s job 3 COMPLETED
> at 202.001s terminate job 3 on n3
> at 202.001s job 4 COMPLETED
> at 202.001s terminate job 4 on n2
> at 301s job 1 COMPLETED
> at 301s terminate job 1 on n1
