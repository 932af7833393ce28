max_powered_nodes: nodes that are up are planned for before those that are off and would be up no earlier, as no power may be left for these.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=1000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=max_powered_nodes=2
NodeName=c[1-3] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
at 3s submit -N1 --exclusive -t 1m --runs 50s
> job 1
> at 3s resume c1 (job 1: c1)
at 3s submit -N1 --exclusive -t 2m --runs 100s
> job 2
> at 3s resume c2 (job 2: c2)
at 30s submit -N2 --exclusive -t 2m --runs 50s
> at 23s launch job 1 on c1
> at 23s launch job 2 on c2
> job 3
at 30s submit -N1 --exclusive -t 10m --runs 500s
> job 4
at 35s show plan
> 3 at 143s on c[1-2] until 263s
> 4 at 90s on c3 until 690s
Job 1 has ended early: job 4 does not get its node, nor that of job 2, as job 3 comes first.
at 80s show jobs
> at 73s job 1 COMPLETED
> at 73s terminate job 1 on c1
>  2 p      R   0:57 1 c2
>  3 p      PD  0:00 2 (Resources)
>  4 p      PD  0:00 1 (Priority)
at 1000s show jobs
> at 123s job 2 COMPLETED
> at 123s terminate job 2 on c2
> at 123.001s launch job 3 on c1
> at 173.001s job 3 COMPLETED
> at 173.001s terminate job 3 on c1
> at 173.001s launch job 4 on c2
> at 673.001s job 4 COMPLETED
> at 673.001s terminate job 4 on c2
