Memory that a victim is to lend counts as taken while it runs on: it is pushed out when it stands still, for which there is time enough before its preemptor's other node is expected.
conf
yaml reclaim_suspended: low
yaml reclaim_timeout: 10
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=5
ResumeTimeout=120
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n1 CPUs=4 RealMemory=1000
NodeName=n2 CPUs=4 RealMemory=1000 State=CLOUD
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s delay boot 40s
> at 0s n1 registers
at 1s submit -w n1 -c4 --mem 800 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 3s submit -p high -w n[1-2] -N2 -c4 --mem 600 --runs 10s
> job 2
> at 3s resume n2 (job 2: n2)
at 10s show parts
>  job 1 has 4 CPUs, 800 MB of n1
>  job 2 has 4 CPUs, 200 MB of n1, waits for more
>  job 2 has 4 CPUs, 600 MB of n2
Another one that would have some of it waits.
at 11s submit -p high -w n1 -c1 --mem 300 --runs 3s
> job 3
at 12s show jobs
>  1 low    R   0:11 1 n1
>  2 high   CF  0:00 2 n[1-2]
>  3 high   PD  0:00 1 (Resources)
at 70s show parts
> at 43s n2 registers
> at 43s freeze job 1 on n1
> at 43.001s reclaim job 1 on n1
> at 45.001s launch job 2 on n1
> at 55.001s job 2 COMPLETED
> at 55.001s terminate job 2 on n1
> at 55.002s reclaim job 1 on n1
> at 57.002s launch job 3 on n1
> at 60.002s job 3 COMPLETED
> at 60.002s terminate job 3 on n1
> at 60.003s thaw job 1 on n1
>  job 1 has 4 CPUs, 800 MB of n1
at 120s show jobs
> at 118.003s job 1 COMPLETED
> at 118.003s terminate job 1 on n1
Now it is known how long the boot takes.
at 200s admin n2 power_down
> at 200s suspend n2
at 210s submit -w n1 -c4 --mem 800 --runs 100s
> at 205s n2 is lost
> job 4
> at 210s launch job 4 on n1
at 211s submit -p high -w n[1-2] -N2 -c4 --mem 600 --runs 10s
> job 5
> at 211s resume n2 (job 5: n2)
at 220s show parts
>  job 4 has 4 CPUs, 800 MB of n1
>  job 5 has 4 CPUs, 200 MB of n1, waits for more
>  job 5 has 4 CPUs, 600 MB of n2
at 300s show jobs
> at 241s freeze job 4 on n1
> at 241.001s reclaim job 4 on n1
> at 251s n2 registers
> at 251s launch job 5 on n1
> at 261s job 5 COMPLETED
> at 261s terminate job 5 on n1
> at 261.001s thaw job 4 on n1
>  4 low    R   1:09 1 n1
The preemptor goes: nothing is asked of the victim any more.
at 400s admin n2 power_down
> at 330.001s job 4 COMPLETED
> at 330.001s terminate job 4 on n1
> at 400s suspend n2
at 410s submit -w n1 -c4 --mem 800 --runs 100s
> at 405s n2 is lost
> job 6
> at 410s launch job 6 on n1
at 411s submit -p high -w n[1-2] -N2 -c4 --mem 600 --runs 10s
> job 7
> at 411s resume n2 (job 7: n2)
at 420s cancel 7
> at 420s job 7 CANCELLED
at 421s show parts
>  job 6 has 4 CPUs, 800 MB of n1
at 600s show jobs
> at 451s n2 registers
> at 510s job 6 COMPLETED
> at 510s terminate job 6 on n1
