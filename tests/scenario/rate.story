ResumeRate and SuspendRate of several nodes a second: a program is run for as many nodes as there are tokens within a second, not for
each token; what waits for fewer is served as soon as there is one for each.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=300
ResumeRate=300
NodeName=n[1-20] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
at 1s submit -N13 --runs 10s
> job 1
> at 1s resume n[1-5] (job 1: n[1-5])
at 1.5s submit -N1 -w n20 --runs 10s
> job 2
at 10s show jobs
> at 2s resume n[6-10] (job 1: n[6-10])
> at 2.8s resume n[11-13,20] (job 1: n[11-13]; job 2: n20)
>  1 p      CF  0:00 13 n[1-13]
>  2 p      CF  0:00 1 n20
After a quiet spell as many as ten seconds let in go at once.
at 60s submit -N20 --runs 10s
> at 22.8s launch job 1 on n1
> at 22.8s launch job 2 on n20
> at 32.8s job 1 COMPLETED
> at 32.8s terminate job 1 on n1
> at 32.8s job 2 COMPLETED
> at 32.8s terminate job 2 on n20
> job 3
> at 60s resume n[14-19] (job 3: n[14-19])
at 300s show nodes
> at 80s launch job 3 on n1
> at 90s job 3 COMPLETED
> at 90s terminate job 3 on n1
> at 190s suspend n[2-20]
> at 190.001s suspend n1
> n[1-20] idle~
