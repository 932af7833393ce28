max_powered_nodes and warm_up: two jobs that wait, each with a node up that it is planned on, do not keep these from each other for ever.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=max_powered_nodes=2
NodeName=c[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
at 0s warm-up
at 1s submit -N2 -w c[1,3] -t 60s --runs 20s
> job 1
> at 1s resume c[1,3] (job 1: c[1,3])
at 30s submit -N2 -w c[1-2] -t 100s --runs 100s
> at 21s launch job 1 on c1
> job 2
at 30s submit -N2 -w c[3-4] -t 100s --runs 100s
> job 3
at 60s show jobs
> at 41s job 1 COMPLETED
> at 41s terminate job 1 on c1
>  2 p      PD  0:00 2 (MaxPoweredUpNodes)
>  3 p      PD  0:00 2 (MaxPoweredUpNodes)
The first in the queue has what there may be; c3 goes to sleep.
at 2000s show jobs
> at 141s suspend c3
> at 141s resume c2 (job 2: c2)
> at 161s launch job 2 on c1
> at 261s job 2 COMPLETED
> at 261s terminate job 2 on c1
> at 361s suspend c2
> at 361s resume c4
> at 361.001s suspend c1
> at 361.001s resume c3 (job 3: c3)
> at 381.001s launch job 3 on c3
> at 481.001s job 3 COMPLETED
> at 481.001s terminate job 3 on c3
> at 581.001s suspend c4
> at 581.002s suspend c3
at 2000s show nodes
> c[1-4] idle~
