max_powered_nodes and nodes that jobs share: a job that would get idle cores of a node that may not be woken shares those of one that has power.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=max_powered_nodes=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=GANG
NodeName=c[1-3] CPUs=2 State=CLOUD
PartitionName=rows Nodes=ALL Default=YES OverSubscribe=FORCE:2
PartitionName=alone Nodes=ALL OverSubscribe=NO
end
at 1s submit -n2 --runs 100s
> job 1
> at 1s resume c1 (job 1: c1)
at 30s submit -n2 --runs 50s
> at 21s c1 registers
> at 21s launch job 1 on c1
> job 2
at 31s show jobs
>  1 rows   R   0:10 1 c1
>  2 rows   S   0:00 1 c1
at 32s submit -n2 -p alone --runs 10s
> job 3
at 33s show jobs
>  1 rows   R   0:12 1 c1
>  2 rows   S   0:00 1 c1
>  3 alone  PD  0:00 1 (MaxPoweredUpNodes)
at 600s show jobs
> at 60s freeze job 1 on c1
> at 60.001s launch job 2 on c1
> at 90s freeze job 2 on c1
> at 90.001s thaw job 1 on c1
> at 120s freeze job 1 on c1
> at 120.001s thaw job 2 on c1
> at 140.002s job 2 COMPLETED
> at 140.002s terminate job 2 on c1
> at 140.003s thaw job 1 on c1
> at 171.004s job 1 COMPLETED
> at 171.004s terminate job 1 on c1
> at 171.005s launch job 3 on c1
> at 181.005s job 3 COMPLETED
> at 181.005s terminate job 3 on c1
> at 281.006s suspend c1
> at 286.006s c1 is lost
