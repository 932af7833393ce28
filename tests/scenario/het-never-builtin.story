A later component is changed so that the job could never run: those behind it do not wait for it, by sched/builtin, either.
conf
SchedulerType=sched/builtin
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N4 -t 10m --exclusive --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1 -w n1 -t 10m --exclusive --runs 10s : -w n2 -N1 -t 10m --exclusive
> job 2, with components up to 3
at 2s submit -N1 -t 10m --runs 1000s
> job 4
at 3s update JobId=3 NodeList=n1
at 4s show jobs
>  1 p      R   0:03 4 n[1-4]
>  2 p      PD  0:00 1 (BadConstraints)
>  3 p      PD  0:00 1 (BadConstraints)
>  4 p      PD  0:00 1 (Resources)
at 110s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101s launch job 4 on n2
>  2 p      PD  0:00 1 (BadConstraints)
>  3 p      PD  0:00 1 (BadConstraints)
>  4 p      R   0:09 1 n2
