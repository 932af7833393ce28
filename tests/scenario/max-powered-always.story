max_powered_nodes and nodes that never sleep: a job that could only have its nodes if these slept waits for ever, and none waits for it.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendExcNodes=s1
SlurmctldParameters=max_powered_nodes=2
NodeName=s1 CPUs=2
NodeName=c[1-3] CPUs=2 State=CLOUD
PartitionName=all Nodes=ALL Default=YES
PartitionName=cloud Nodes=c[1-3]
end
at 0s hush agents
> at 0s s1 registers
at 1s submit -p cloud -N2 --exclusive --runs 50s
> job 1
at 2s submit -p cloud -N1 --exclusive --runs 50s
> job 2
> at 2s resume c1 (job 2: c1)
at 3s submit -N2 --exclusive --runs 50s
> job 3
at 4s show jobs
>  1 cloud  PD  0:00 2 (Resources)
>  2 cloud  CF  0:00 1 c1
>  3 all    PD  0:00 2 (Resources)
at 10s show plan
> 1 is not planned
> 3 at 63s on s1,c2 until 31536063s
at 300s show jobs
> at 22s launch job 2 on c1
> at 72s job 2 COMPLETED
> at 72s terminate job 2 on c1
> at 72.001s launch job 3 on s1
> at 122.001s job 3 COMPLETED
> at 122.001s terminate job 3 on s1
> at 222.001s suspend c1
>  1 cloud  PD  0:00 2 (MaxPoweredUpNodes)
at 301s update SuspendExcNodes-=s1
> (null)
> at 301s suspend s1
at 302s submit -p cloud -N1 --exclusive --runs 50s
> at 301s resume c[1-2] (job 1: c[1-2])
> job 4
at 303s show jobs
>  1 cloud  CF  0:00 2 c[1-2]
>  4 cloud  PD  0:00 1 (MaxPoweredUpNodes)
at 500s show jobs
> at 321s launch job 1 on c1
> at 371s job 1 COMPLETED
> at 371s terminate job 1 on c1
> at 371s launch job 4 on c2
> at 421s job 4 COMPLETED
> at 421s terminate job 4 on c2
> at 471.001s suspend c1
at 600s admin s1 POWER_UP
> at 521.001s suspend c2
> at 600s resume s1
at 700s submit -p cloud -N2 --exclusive --runs 50s
> job 5
at 701s submit -p cloud -N1 --exclusive --runs 50s
> job 6
at 702s show jobs
>  5 cloud  PD  0:00 2 (MaxPoweredUpNodes)
>  6 cloud  PD  0:00 1 (Priority)
at 703s veto s1 session
> at 703s resume c3 (job 6: c3)
at 704s show jobs
>  5 cloud  PD  0:00 2 (MaxPoweredUpNodes)
>  6 cloud  CF  0:00 1 c3
at 800s show jobs
> at 723s launch job 6 on c3
> at 773s job 6 COMPLETED
> at 773s terminate job 6 on c3
>  5 cloud  PD  0:00 2 (MaxPoweredUpNodes)
