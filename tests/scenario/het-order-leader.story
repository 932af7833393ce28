A leader of several partitions is not held up by its own component, which waits in the second of them.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
NodeName=n[1-3] CPUs=4
PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=other Nodes=n[2-3] MaxTime=INFINITE
end
at 1s submit -n4 -t 10m --runs 300s 
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> job 1
> at 1s launch job 1 on n1
at 2s submit -n2 -t 10m --runs 10s -p main,other  : -n2 -p other 
> job 2, with components up to 3
> at 2s launch job 2 on n2
at 3s show jobs
>  1 main   R   0:02 1 n1
>  2 other  R   0:01 1 n2
>  3 other  R   0:01 1 n3
at 10s show jobs
>  1 main   R   0:09 1 n1
>  2 other  R   0:08 1 n2
>  3 other  R   0:08 1 n3
