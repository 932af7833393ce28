ResumeRate lets one node a second pass: the plan knows from the start when the last one of a job will be up, and stays while they come
up one after the other.
conf
SelectType=select/linear
SuspendProgram=/s
ResumeProgram=/r
SuspendTime=1000
ResumeTimeout=60
ResumeRate=60
SuspendRate=0
NodeName=c[1-5] CPUs=1 State=CLOUD
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
at 1s submit -N5 -t 100s --runs 50s
> job 1
> at 1s resume c1 (job 1: c1)
at 2s submit -N5 -t 100s --runs 50s
> at 2s resume c2 (job 1: c2)
> job 2
at 3s show plan
> at 3s resume c3 (job 1: c3)
> 2 at 166s on c[1-5] until 266s
at 6s show plan
> at 4s resume c4 (job 1: c4)
> at 5s resume c5 (job 1: c5)
> 2 at 166s on c[1-5] until 266s
at 30s show plan
> at 25s launch job 1 on c1
> 2 at 125s on c[1-5] until 225s
at 64s show plan
> 2 at 125s on c[1-5] until 225s
at 300s show jobs
> at 75s job 1 COMPLETED
> at 75s terminate job 1 on c1
> at 75.001s launch job 2 on c1
> at 125.001s job 2 COMPLETED
> at 125.001s terminate job 2 on c1
