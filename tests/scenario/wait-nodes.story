Which nodes a batch job waits for (sbatch --wait-all-nodes, SchedulerParameters=sbatch_wait_nodes): the first, or all; of a cloud's all.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=30
SuspendTimeout=5
ResumeTimeout=100
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=1
NodeName=c[1-2] CPUs=1 State=CLOUD
PartitionName=p Nodes=n[1-2] Default=YES
PartitionName=cloud Nodes=c[1-2]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 40s show nodes
> at 30s suspend n[1-2]
> at 35s disconnect n2
> n[1-2],c[1-2] idle~
The second node boots later: the script runs on the first meanwhile.
at 50s cut n2
at 50s submit -N2 --runs 30s
> job 1
> at 50s resume n[1-2] (job 1: n[1-2])
at 72s show jobs
> at 70s launch job 1 on n1
>  1 p      R   0:02 2 n[1-2]
at 90s mend n2
at 91s show nodes
> n[1-2] alloc
> c[1-2] idle~
at 190s show nodes
> at 100s job 1 COMPLETED
> at 100s terminate job 1 on n1
> at 130s suspend n2
> at 130.001s suspend n1
> n[1-2],c[1-2] idle~
The job says that it waits for all.
at 200s cut n2
at 200s submit -N2 --wait-all-nodes --runs 10s
> job 2
> at 200s resume n[1-2] (job 2: n[1-2])
at 222s show jobs
>  2 p      CF  0:00 2 n[1-2]
at 240s mend n2
> at 240s launch job 2 on n1
at 300s show jobs
> at 250s job 2 COMPLETED
> at 250s terminate job 2 on n1
> at 280s suspend n2
> at 280.001s suspend n1
A job on nodes of a cloud always does.
at 310s cut c2
at 310s submit -p cloud -N2 --runs 10s
> job 3
> at 310s resume c[1-2] (job 3: c[1-2])
at 332s show jobs
>  3 cloud  CF  0:00 2 c[1-2]
at 340s mend c2
> at 340s launch job 3 on c1
at 400s show jobs
> at 350s job 3 COMPLETED
> at 350s terminate job 3 on c1
> at 380s suspend c2
> at 380.001s suspend c1
So does every batch job with sbatch_wait_nodes.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=30
SuspendTimeout=5
ResumeTimeout=100
SuspendRate=0
ResumeRate=0
SchedulerParameters=sbatch_wait_nodes
NodeName=n[1-2] CPUs=1
NodeName=c[1-2] CPUs=1 State=CLOUD
PartitionName=p Nodes=n[1-2] Default=YES
PartitionName=cloud Nodes=c[1-2]
end
at 410s show nodes
> n[1-2],c[1-2] idle~
at 420s cut n2
at 420s submit -N2 --runs 10s
> job 4
> at 420s resume n[1-2] (job 4: n[1-2])
at 442s show jobs
>  4 p      CF  0:00 2 n[1-2]
at 450s mend n2
> at 450s launch job 4 on n1
at 500s show jobs
> at 460s job 4 COMPLETED
> at 460s terminate job 4 on n1
> at 490s suspend n2
> at 490.001s suspend n1
