max_powered_nodes: a job that needs more nodes than that waits for ever, and no other waits for it.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=max_powered_nodes=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
Licenses=matlab:1
NodeName=c[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
PartitionName=other Nodes=ALL
PartitionName=whole Nodes=ALL OverSubscribe=EXCLUSIVE
end
at 1s submit -n6 -L matlab:1 --runs 10s
> job 1
at 2s submit -p whole -w c[1-3] --runs 10s
> job 2
at 3s submit -n1 -L matlab:1 --runs 10s
> job 3
> at 3s resume c1 (job 3: c1)
at 4s submit -n1 -p other --runs 10s
> job 4
at 5s submit -p whole -N2 --runs 10s
> job 5
at 6s submit -p whole -N1 --runs 10s
> job 6
at 7s show jobs
>  1 p      PD  0:00 1 (Licenses)
>  2 whole  PD  0:00 1 (Resources)
>  3 p      CF  0:00 1 c1
>  4 other  CF  0:00 1 c1
>  5 whole  PD  0:00 2 (MaxPoweredUpNodes)
>  6 whole  PD  0:00 1 (Priority)
at 180s show plan
> at 23s c1 registers
> at 23s launch job 3 on c1
> at 23s launch job 4 on c1
> at 33s job 3 COMPLETED
> at 33s terminate job 3 on c1
> at 33s job 4 COMPLETED
> at 33s terminate job 4 on c1
> at 33.001s resume c2 (job 5: c2)
> at 53.001s c2 registers
> at 53.001s launch job 5 on c1
> at 63.001s job 5 COMPLETED
> at 63.001s terminate job 5 on c1
> at 63.001s launch job 6 on c2
> at 73.001s job 6 COMPLETED
> at 73.001s terminate job 6 on c2
> at 163.002s suspend c1
> at 168.002s c1 is lost
> at 173.002s suspend c2
> at 178.002s c2 is lost
> 1 is not planned
> 2 is not planned
at 600s show jobs
>  1 p      PD  0:00 1 (MaxPoweredUpNodes)
>  2 whole  PD  0:00 1 (MaxPoweredUpNodes)
at 601s submit -p whole -N1 --runs 10s
> job 7
> at 601s resume c1 (job 7: c1)
at 700s show jobs
> at 621s c1 registers
> at 621s launch job 7 on c1
> at 631s job 7 COMPLETED
> at 631s terminate job 7 on c1
>  1 p      PD  0:00 1 (MaxPoweredUpNodes)
>  2 whole  PD  0:00 1 (MaxPoweredUpNodes)
