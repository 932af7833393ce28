Nodes that lack what components ask for, or hold too few of their tasks, do not count: these could never run, and delay none.
conf
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SuspendProgram=/s
ResumeProgram=/r
SuspendTime=600
NodeName=n[1-4] CPUs=4 Gres=gpu:2 Weight=1 State=CLOUD
NodeName=n[5-8] CPUs=4 Gres=gpu:2 Weight=2 State=CLOUD
NodeName=n[9-12] CPUs=4 Gres=gpu:2 Weight=3 State=CLOUD
NodeName=n[13-16] CPUs=4 Gres=gpu:2 Weight=4 State=CLOUD
NodeName=n[17-20] CPUs=4 Gres=gpu:2 Weight=5 State=CLOUD
NodeName=n[21-100] CPUs=4 Weight=6 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
at 1s submit -N12 --gres gpu:1 --runs 10s : -N4 --gres gpu:1 : -N5 --gres gpu:2
> job 1, with components up to 3
at 1s submit -n200 --exclusive --runs 10s : -n100 --exclusive : -n104 --exclusive
> job 4, with components up to 6
at 2s submit -N1 --runs 10s
> job 7
> at 2s resume n1 (job 7: n1)
at 3s show jobs
>  1 p      PD  0:00 12 (BadConstraints)
>  2 p      PD  0:00 4 (BadConstraints)
>  3 p      PD  0:00 5 (BadConstraints)
>  4 p      PD  0:00 1 (BadConstraints)
>  5 p      PD  0:00 1 (BadConstraints)
>  6 p      PD  0:00 1 (BadConstraints)
>  7 p      CF  0:00 1 n1
