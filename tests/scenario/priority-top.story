scontrol top: the named ones get the best of their user's priorities, which the others pay for.  The figures are Slurm's own.  A job that runs may be held: it stays where it is and does not start again.
conf
SelectType=select/linear
PriorityType=priority/multifactor
PriorityWeightPartition=1000
NodeName=n[1-2] CPUs=1
PartitionName=main Nodes=n[1-2] Default=YES
PartitionName=other Nodes=n[1-2]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N2 --requeue
> job 1
> at 1s launch job 1 on n1
at 2s submit -N2
> job 2
at 2s submit -N2 --nice 100
> job 3
at 2s submit -N2 --nice 200
> job 4
at 2s submit -N2 --nice 300
> job 5
at 2s submit -N2 -p other
> job 6
at 3s show jobs
>  1 main   R   0:02 2 n[1-2]
>  2 main   PD  0:00 2 (Resources)
>  3 main   PD  0:00 2 (Priority)
>  4 main   PD  0:00 2 (Priority)
>  5 main   PD  0:00 2 (Priority)
>  6 other  PD  0:00 2 (Resources)
at 3s show priorities
>  2 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  3 900: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  4 800: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  5 700: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
at 4s top 4
at 4s show priorities
>  4 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  2 934: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  3 833: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  5 633: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
at 5s top 5 3
at 5s show priorities
>  5 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  3 934: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  4 766: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  2 700: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
at 6s top 2
at 6s show priorities
>  2 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  5 900: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  3 834: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  4 666: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
at 7s top 2
at 7s show priorities
>  2 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  5 900: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  3 834: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  4 666: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
at 10s hold 1
at 10s show jobs
>  1 main   R   0:09 2 n[1-2]
>  2 main   PD  0:00 2 (Resources)
>  3 main   PD  0:00 2 (Priority)
>  4 main   PD  0:00 2 (Priority)
>  5 main   PD  0:00 2 (Priority)
>  6 other  PD  0:00 2 (Resources)
at 11s suspend 1
> at 11s freeze job 1 on n1
at 12s resume 1
> at 12s thaw job 1 on n1
at 12s show jobs
>  1 main   R   0:10 2 n[1-2]
>  2 main   PD  0:00 2 (Resources)
>  3 main   PD  0:00 2 (Priority)
>  4 main   PD  0:00 2 (Priority)
>  5 main   PD  0:00 2 (Priority)
>  6 other  PD  0:00 2 (Resources)
at 13s requeue 1
> at 13s job 1 is requeued
> at 13s terminate job 1 on n1
