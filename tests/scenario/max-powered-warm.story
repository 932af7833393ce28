max_powered_nodes and warm_up: what is planned does not wake more nodes either, and none of a job that could not have them all.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendExcNodes=n1
SlurmctldParameters=max_powered_nodes=3
NodeName=n1 CPUs=2
NodeName=c[1-5] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
at 0s warm-up
at 1s admin c[1-2] POWER_UP
> at 1s resume c[1-2]
at 30s submit -N2 -w c[3-4] -t 100s --runs 100s
> job 1
at 31s show jobs
>  1 p      PD  0:00 2 (MaxPoweredUpNodes)
at 32s show plan
> 1 at 90s on c[3-4] until 190s
at 60s show nodes
> n1,c[1-2] idle
> c[3-5] idle~
at 60s admin c1 POWER_DOWN
> at 60s suspend c1
at 80s show nodes
> n1,c2 idle
> c[1,3-5] idle~
at 300s show jobs
> at 121s suspend c2
> at 121s resume c[3-4] (job 1: c[3-4])
> at 141s launch job 1 on c3
> at 241s job 1 COMPLETED
> at 241s terminate job 1 on c3
at 400s show nodes
> at 341s suspend c4
> at 341.001s suspend c3
> n1 idle
> c[1-5] idle~
