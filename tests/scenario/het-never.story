A component that could not run any more, as nodes have changed: all are told so, and delay none.
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-4] CPUs=8 RealMemory=4000 Feature=a
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s admin n1 DRAIN work
at 1s admin n2 DRAIN work
at 1s admin n3 DRAIN work
at 1s admin n4 DRAIN work
at 2s submit -N1 --runs 10s : -n1 -c8
> job 1, with components up to 2
at 2s submit -N1 --runs 10s : -N1 -C a
> job 3, with components up to 4
at 2s submit -N1 --runs 10s : -N1 --mem 3000
> job 5, with components up to 6
at 2s submit -N1 --runs 10s : -N1
> job 7, with components up to 8
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
MinJobAge=2
NodeName=n[1-4] CPUs=4 RealMemory=2000 Feature=b
PartitionName=p Nodes=ALL Default=YES
end
at 3s admin n1 UNDRAIN
at 3s admin n2 UNDRAIN
> at 3s launch job 7 on n1
at 3s admin n3 UNDRAIN
at 3s admin n4 UNDRAIN
at 4s show jobs
>  1 p      PD  0:00 1 (BadConstraints)
>  2 p      PD  0:00 1 (BadConstraints)
>  3 p      PD  0:00 1 (BadConstraints)
>  4 p      PD  0:00 1 (BadConstraints)
>  5 p      PD  0:00 1 (BadConstraints)
>  6 p      PD  0:00 1 (BadConstraints)
>  7 p      R   0:01 1 n1
>  8 p      R   0:01 1 n2
