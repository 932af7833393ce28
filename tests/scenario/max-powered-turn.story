max_powered_nodes: the first job that waits for power has nodes that have it as soon as they are free, though one behind it was to have them.
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
at 1s submit -N2 -w c[1-2] -t 600s --runs 100s
> job 1
> at 1s resume c[1-2] (job 1: c[1-2])
at 30s submit -N2 -t 1200s --runs 100s
> at 21s launch job 1 on c1
> job 2
at 30s submit -N2 -w c[1-2] -t 600s --runs 100s
> job 3
at 60s show jobs
>  1 p      R   0:39 2 c[1-2]
>  2 p      PD  0:00 2 (MaxPoweredUpNodes)
>  3 p      PD  0:00 2 (Priority)
at 2000s show jobs
> at 121s job 1 COMPLETED
> at 121s terminate job 1 on c1
> at 121.001s launch job 2 on c1
> at 221.001s job 2 COMPLETED
> at 221.001s terminate job 2 on c1
> at 221.002s launch job 3 on c1
> at 321.002s job 3 COMPLETED
> at 321.002s terminate job 3 on c1
> at 421.002s suspend c2
> at 421.003s suspend c1
