A limit forbids what is up, not what sleeps while waking is stopped: a job waits for the end of that, too.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
ReturnToService=1
AccountingStorageEnforce=limits
NodeName=n1 CPUs=8
NodeName=n[2-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
at 0s sacctmgr add account a grptres=cpu=4
at 0s sacctmgr add user user account=a
at 0s delay boot 20s
at 0s fault ignores-on n[2-4]
at 1s submit -w n2 --runs 10s
> job 1
> at 1s resume n2 (job 1: n2)
at 2s outcome n2 resume common 0s "key bmcc is not known"
at 2s cancel 1
> at 2s job 1 CANCELLED
at 14s outcome n3 resume common 0s "key bmcc is not known"
> at 12s resume n3
at 15s repair n[2-4]
at 15s submit --exclusive -t 1h --runs 10s
> job 2
at 16s show jobs
>  2 p      PD  0:00 1 (AssocGrpCpuLimit)
at 16s show brake
> common-cause since 2s: key bmcc is not known; 1 probes failed, next not before 34s
at 100s show jobs
> at 34s resume n4
> at 54s launch job 2 on n4
> at 64s job 2 COMPLETED
> at 64s terminate job 2 on n4
at 100s show brake
> off
