An array's limit is raised while its rest waits behind a job for which nodes are kept: those tasks that may run now start at once.
conf
NodeName=n[1-3] CPUs=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -w n1 -n2 -t 10m --runs 10m
> job 1
> at 1s launch job 1 on n1
at 2s submit --priority 100 -N3 -n6 -t 10m --runs 10s
> job 2
at 3s submit --priority 10 --array 0-4%1 -t 9m --runs 60s
> job 3
> at 3s launch job 4 on n2
at 4s show jobs
>  1 p      R   0:03 1 n1
>  2 p      PD  0:00 3 (Resources)
> 3_[1-4] p      PD  0:00 1 (Priority)
> 3_0 p      R   0:01 1 n2
at 5s update JobId=3 ArrayTaskThrottle=3
> at 5s launch job 5 on n2
> at 5s launch job 6 on n3
at 6s show jobs
>  1 p      R   0:05 1 n1
>  2 p      PD  0:00 3 (Resources)
> 3_[3-4] p      PD  0:00 1 (Priority)
> 3_0 p      R   0:03 1 n2
> 3_1 p      R   0:01 1 n2
> 3_2 p      R   0:01 1 n3
at 7s update JobId=3 ArrayTaskThrottle=0
> at 7s launch job 7 on n3
at 8s show jobs
>  1 p      R   0:07 1 n1
>  2 p      PD  0:00 3 (Resources)
> 3_[4] p      PD  0:00 1 (Priority)
> 3_0 p      R   0:05 1 n2
> 3_1 p      R   0:03 1 n2
> 3_2 p      R   0:03 1 n3
> 3_3 p      R   0:01 1 n3
