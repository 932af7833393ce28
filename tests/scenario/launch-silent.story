An agent that does not say that a batch script runs must register, and tell what it has (BatchStartTimeout).
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=100
BatchStartTimeout=5
NodeName=n[1-2] CPUs=2 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s fault never-answers n1
at 1s submit -w n1 -c2 --runs 100s
> job 1
> at 1s launch job 1 on n1
It has never heard of it, and gets it again.
at 14s show jobs
>  1 main   R   0:13 1 n1
at 18s repair n1
> at 16s disconnect n1
at 30s show jobs
> at 21s launch job 1 on n1
>  1 main   R   0:29 1 n1
at 140s show jobs
> at 121s job 1 COMPLETED
> at 121s terminate job 1 on n1
One that never starts anything gives the job back in the end.
at 150s fault never-answers n2
at 151s submit -w n2 -c2 --runs 100s
> job 2
> at 151s launch job 2 on n2
at 250s show jobs
> at 166s disconnect n2
> at 171s launch job 2 on n2
> at 186s disconnect n2
> at 191s launch job 2 on n2
> at 206s disconnect n2
> at 211s job 2 is requeued
>  2 main   PD  0:00 1 (launch failed requeued held)
