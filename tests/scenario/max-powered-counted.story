max_powered_nodes and a count in SuspendExcNodes: a node that stays up anyhow is one of those that must.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendExcNodes=s[1-2]:1
SlurmctldParameters=max_powered_nodes=3
NodeName=s[1-2] CPUs=2
NodeName=c[1-3] CPUs=2 State=CLOUD
PartitionName=all Nodes=ALL Default=YES
PartitionName=cloud Nodes=c[1-3]
end
at 0s hush agents
> at 0s s1 registers
> at 0s s2 registers
at 1s veto s2 session
at 2s submit -p cloud -N2 --exclusive --runs 50s
> job 1
at 3s submit -p cloud -N1 --exclusive --runs 50s
> job 2
at 4s show jobs
>  1 cloud  PD  0:00 2 (MaxPoweredUpNodes)
>  2 cloud  PD  0:00 1 (Priority)
at 30s submit -p cloud -N1 --exclusive --runs 50s
> job 3
at 70s submit -p cloud -N1 --exclusive --runs 50s
> job 4
at 90s submit -p cloud -N1 --exclusive --runs 50s
> job 5
at 95s show plan
> 1 at 62s on c[1-2] until 31536062s
> 2 at 63s on c3 until 31536063s
> 3 at 31536122s on c1 until 63072122s
> 4 at 31536122s on c2 until 63072122s
> 5 at 31536123s on c3 until 63072123s
at 101s show plan
> at 100s suspend s1
> at 100s resume c[1-2] (job 1: c[1-2])
> 2 at 160s on c3 until 31536160s
> 3 at 31536160s on c1 until 63072160s
> 4 at 31536160s on c2 until 63072160s
> 5 at 31536220s on c3 until 63072220s
at 101s show jobs
>  1 cloud  CF  0:00 2 c[1-2]
>  2 cloud  PD  0:00 1 (MaxPoweredUpNodes)
>  3 cloud  PD  0:00 1 (Priority)
>  4 cloud  PD  0:00 1 (Priority)
>  5 cloud  PD  0:00 1 (Priority)
at 122s show plan
> at 120s launch job 1 on c1
> 2 at 180s on c3 until 31536180s
> 3 at 31536120s on c1 until 63072120s
> 4 at 31536120s on c2 until 63072120s
> 5 at 31536240s on c3 until 63072240s
at 122s show jobs
>  1 cloud  R   0:02 2 c[1-2]
>  2 cloud  PD  0:00 1 (MaxPoweredUpNodes)
>  3 cloud  PD  0:00 1 (Priority)
>  4 cloud  PD  0:00 1 (Priority)
>  5 cloud  PD  0:00 1 (Priority)
at 124s show plan
> 2 at 180s on c3 until 31536180s
> 3 at 31536120s on c1 until 63072120s
> 4 at 31536120s on c2 until 63072120s
> 5 at 31536240s on c3 until 63072240s
at 124s show jobs
>  1 cloud  R   0:04 2 c[1-2]
>  2 cloud  PD  0:00 1 (MaxPoweredUpNodes)
>  3 cloud  PD  0:00 1 (Priority)
>  4 cloud  PD  0:00 1 (Priority)
>  5 cloud  PD  0:00 1 (Priority)
at 1000s show jobs
> at 170s job 1 COMPLETED
> at 170s terminate job 1 on c1
> at 170s launch job 2 on c2
> at 170.001s launch job 3 on c1
> at 220s job 2 COMPLETED
> at 220s terminate job 2 on c2
> at 220.001s job 3 COMPLETED
> at 220.001s terminate job 3 on c1
> at 220.001s launch job 4 on c2
> at 220.002s launch job 5 on c1
> at 270.001s job 4 COMPLETED
> at 270.001s terminate job 4 on c2
> at 270.002s job 5 COMPLETED
> at 270.002s terminate job 5 on c1
> at 370.002s suspend c2
> at 370.003s suspend c1
