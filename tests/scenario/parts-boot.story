A job that is planned on cores of a node that boots for another one is allocated them before the node is up, and runs from then on: its other nodes are kept for as long as that takes.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=10000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=a[1-2] CPUs=4
NodeName=c1 CPUs=4 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s a1 registers
> at 0s a2 registers
at 1s submit -n4 -w a1 -t 1m --runs 60s
> job 1
> at 1s launch job 1 on a1
at 1s submit -n4 -w a2 -t 60m --runs 3000s
> job 2
> at 1s launch job 2 on a2
at 30s submit -n1 -w c1 -t 60m --runs 600s
> job 3
> at 30s resume c1 (job 3: c1)
The node is up by 90 s. Job 4 is allocated it at 61 s, with a1, and runs from 90 s on; job 5 follows it on a1.
at 31s submit -N2 -n4 -x a2 -t 10m --runs 600s
> job 4
at 31s submit -n4 -w a1 -t 10m --runs 100s
> job 5
at 32s show plan
> 4 at 90s on a1,c1 until 690s
> 5 at 690s on a1 until 1290s
at 62s show plan
> at 50s launch job 3 on c1
> at 61s job 1 COMPLETED
> at 61s terminate job 1 on a1
> at 61.001s launch job 4 on a1
> 5 at 661.001s on a1 until 1261.001s
at 1000s show jobs
> at 650s job 3 COMPLETED
> at 650s terminate job 3 on c1
> at 650.001s launch job 5 on a1
> at 661.001s job 4 COMPLETED
> at 661.001s terminate job 4 on a1
> at 750.001s job 5 COMPLETED
> at 750.001s terminate job 5 on a1
>  2 p      R  16:39 1 a2
