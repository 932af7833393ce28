Nodes that always have power may be more than max_powered_nodes: jobs that need no other node are planned, and wait for nothing else.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendExcNodes=n[1-4]
SlurmctldParameters=max_powered_nodes=2
NodeName=n[1-4] CPUs=4
NodeName=c[1-4] CPUs=4 State=CLOUD
PartitionName=p Nodes=n[1-4] Default=YES
PartitionName=cl Nodes=c[1-4]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N4 -n16 --runs 60s -t 1800s
> job 1
> at 1s launch job 1 on n1
at 2s estimate -n1
> in 00:29:59 on n1, 1 CPUs
at 2s submit -N3 --exclusive --runs 3s -t 1800s
> job 2
at 2s submit -n1 --runs 3s -t 1800s -p cl
> job 3
at 40s show plan
> 2 at 1801s on n[1-3] until 3601s
> 3 is not planned
at 50s estimate -n1
> in 00:29:11 on n4, 1 CPUs
at 50s estimate -N4 --exclusive
> in 00:59:11 on n[1-4], 16 CPUs
at 50s estimate -n1 -p cl
> not on these nodes
at 70s show jobs
> at 61s job 1 COMPLETED
> at 61s terminate job 1 on n1
> at 61s launch job 2 on n2
> at 64s job 2 COMPLETED
> at 64s terminate job 2 on n2
>  3 cl     PD  0:00 1 (MaxPoweredUpNodes)
at 71s submit -N4 -n16 --runs 60s -t 1800s
> job 4
> at 71s launch job 4 on n1
at 72s submit -N1 --exclusive -t 900s : -N2 --exclusive -t 900s
> job 5, with components up to 6
at 72s submit -N3 --exclusive -t 900s : -N2 --exclusive -t 900s
> job 7, with components up to 8
at 75s show plan
> 3 is not planned
> 5 at 1871s on n1 until 2771s
> 7 is not planned
> 6 at 1871s on n[2-3] until 2771s
> 8 is not planned
