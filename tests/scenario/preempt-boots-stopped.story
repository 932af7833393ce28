A job that stands still when a preemptor gets its units whose nodes boot goes on until they are up, as one that ran does:
it stood still for another job, or was suspended by hand and resumed meanwhile.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=5000
SuspendTimeout=5
ResumeTimeout=300
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
NodeName=n1 CPUs=2
NodeName=n[2-3] CPUs=2 State=CLOUD
PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=high Nodes=ALL MaxTime=INFINITE PriorityTier=2 OverSubscribe=FORCE:1
end
at 0s hush agents
> at 0s n1 registers
at 0s delay boot 200s
at 1s submit -p low -w n1 -n2 --runs 2000s
> job 1
> at 1s launch job 1 on n1
at 3s submit -p high -w n1 -n2 --runs 20s
> job 2
> at 3s freeze job 1 on n1
at 4s submit -p high -w n[1-2] -N2 -n4 --runs 20s
> at 3.001s launch job 2 on n1
> job 3
at 22s show jobs
>  1 low    S   0:02 1 n1
>  2 high   R   0:18 1 n1
>  3 high   PD  0:00 2 (Resources)
at 30s show jobs
> at 23.001s job 2 COMPLETED
> at 23.001s terminate job 2 on n1
> at 23.002s thaw job 1 on n1
> at 23.002s resume n2 (job 3: n2)
>  1 low    R   0:08 1 n1
>  3 high   CF  0:00 2 n[1-2]
at 100s show jobs
>  1 low    R   1:18 1 n1
>  3 high   CF  0:00 2 n[1-2]
at 120s kill
at 121s show jobs
>  1 low    R   1:39 1 n1
>  3 high   CF  0:00 2 n[1-2]
at 230s show jobs
> at 223.002s freeze job 1 on n1
> at 223.003s launch job 3 on n1
>  1 low    S   3:22 1 n1
>  3 high   R   0:06 2 n[1-2]
at 260s show jobs
> at 243.003s job 3 COMPLETED
> at 243.003s terminate job 3 on n1
> at 243.004s thaw job 1 on n1
>  1 low    R   3:38 1 n1
at 300s show jobs
>  1 low    R   4:18 1 n1
It is suspended by hand while n3 boots, and resumed.
at 301s submit -p high -w n[1,3] -N2 -n4 --runs 20s
> job 4
> at 301s resume n3 (job 4: n3)
at 310s suspend 1
> at 310s freeze job 1 on n1
at 320s show jobs
>  1 low    S   4:28 1 n1
>  4 high   CF  0:00 2 n[1,3]
at 330s resume 1
> at 330s thaw job 1 on n1
at 331s show jobs
>  1 low    R   4:29 1 n1
>  4 high   CF  0:00 2 n[1,3]
at 480s show jobs
>  1 low    R   6:58 1 n1
>  4 high   CF  0:00 2 n[1,3]
at 600s show jobs
> at 501s freeze job 1 on n1
> at 501.001s launch job 4 on n1
> at 521.001s job 4 COMPLETED
> at 521.001s terminate job 4 on n1
> at 521.002s thaw job 1 on n1
>  1 low    R   8:38 1 n1
