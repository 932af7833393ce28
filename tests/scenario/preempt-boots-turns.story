While a preemptor's other node boots no time slice takes the units from it, or from its victim: both are in one partition, and take turns afterwards.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=5
ResumeTimeout=120
SchedulerTimeSlice=5
PreemptType=preempt/qos
PreemptMode=SUSPEND,GANG
NodeName=n1 CPUs=4
NodeName=n2 CPUs=4 State=CLOUD
PartitionName=p Nodes=n[1-2] Default=YES MaxTime=INFINITE OverSubscribe=FORCE:1
end
at 0s delay boot 20s
> at 0s n1 registers
at 0s sacctmgr add qos high preempt=normal priority=10
at 1s submit -w n1 -n4 --runs 60s
> job 1
> at 1s launch job 1 on n1
at 3s submit -q high -w n[1-2] -N2 -n8 --runs 12s
> job 2
> at 3s resume n2 (job 2: n2)
at 20s show jobs
>  1 p      R   0:19 1 n1
>  2 p      CF  0:00 2 n[1-2]
at 120s show jobs
> at 23s n2 registers
> at 23s freeze job 1 on n1
> at 23.001s launch job 2 on n1
> at 28s freeze job 2 on n1
> at 28.001s thaw job 1 on n1
> at 33s freeze job 1 on n1
> at 33.001s thaw job 2 on n1
> at 38s freeze job 2 on n1
> at 38.001s thaw job 1 on n1
> at 43s freeze job 1 on n1
> at 43.001s thaw job 2 on n1
> at 45.003s job 2 COMPLETED
> at 45.003s terminate job 2 on n1
> at 45.004s thaw job 1 on n1
> at 73.006s job 1 COMPLETED
> at 73.006s terminate job 1 on n1
