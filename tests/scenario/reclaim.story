Memory of frozen jobs is pushed out where their partition allows it, and only what was measured to be free is promised to others.
conf
yaml reclaim_suspended: low
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-3] CPUs=2 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=other PriorityTier=1
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -w n1 -c2 --mem 800 --runs 100s
> job 1
> at 1s launch job 1 on n1
Enough is freed: the other is launched when it has been measured, not before.
at 5s submit -w n1 -p high -c2 --mem 600 --runs 20s
> job 2
> at 5s freeze job 1 on n1
at 6s show jobs
> at 5.001s reclaim job 1 on n1
>  1 low    S   0:04 1 n1
>  2 high   CF  0:00 1 n1
at 6s show parts
>  job 1 has 2 CPUs, 800 MB of n1
>  job 2 has 2 CPUs, 200 MB of n1, waits for more
at 10s show jobs
> at 7.001s launch job 2 on n1
>  1 low    S   0:04 1 n1
>  2 high   R   0:02 1 n1
at 10s show parts
>  job 1 has 2 CPUs, 400 MB of n1, has given some
>  job 2 has 2 CPUs, 600 MB of n1
When it has ended the memory goes back, and the job goes on.
at 30s show jobs
> at 27.001s job 2 COMPLETED
> at 27.001s terminate job 2 on n1
> at 27.002s thaw job 1 on n1
>  1 low    R   0:06 1 n1
at 30s show parts
>  job 1 has 2 CPUs, 800 MB of n1
at 200s show jobs
> at 123.002s job 1 COMPLETED
> at 123.002s terminate job 1 on n1
Too much stays in memory: nothing is promised, the job goes on and is not asked again; the next choice is taken.
at 200s fault keeps-memory n1
at 201s submit -w n1 -c2 --mem 800 --runs 60s
> job 3
> at 201s launch job 3 on n1
at 201s submit -w n2 -c2 --mem 800 --runs 100s
> job 4
> at 201s launch job 4 on n2
at 205s submit -p high -c2 --mem 600 --runs 20s -x n3
> job 5
> at 205s freeze job 3 on n1
at 206s show jobs
> at 205.001s reclaim job 3 on n1
>  3 low    S   0:04 1 n1
>  4 low    R   0:05 1 n2
>  5 high   CF  0:00 1 n1
at 210s show jobs
> at 207.001s freeze job 4 on n2
> at 207.001s thaw job 3 on n1
> at 207.002s reclaim job 4 on n2
> at 209.002s launch job 5 on n2
>  3 low    R   0:06 1 n1
>  4 low    S   0:06 1 n2
>  5 high   R   0:00 1 n2
at 210s show parts
>  job 3 has 2 CPUs, 800 MB of n1
>  job 4 has 2 CPUs, 400 MB of n2, has given some
>  job 5 has 2 CPUs, 600 MB of n2
at 400s repair n1
> at 229.002s job 5 COMPLETED
> at 229.002s terminate job 5 on n2
> at 229.003s thaw job 4 on n2
> at 263.001s job 3 COMPLETED
> at 263.001s terminate job 3 on n1
> at 323.002s job 4 COMPLETED
> at 323.002s terminate job 4 on n2
A job that does not need its memory may still stop it, and so may one that finds enough beside it.
at 401s submit -w n1 -c2 --mem 800 --runs 60s
> job 6
> at 401s launch job 6 on n1
at 402s submit -w n1 -p high -c2 --mem 150 --runs 10s
> job 7
> at 402s freeze job 6 on n1
at 403s show parts
> at 402.001s launch job 7 on n1
>  job 6 has 2 CPUs, 800 MB of n1
>  job 7 has 2 CPUs, 150 MB of n1
at 500s show jobs
> at 412.001s job 7 COMPLETED
> at 412.001s terminate job 7 on n1
> at 412.002s thaw job 6 on n1
> at 471.002s job 6 COMPLETED
> at 471.002s terminate job 6 on n1
A partition that does not allow it; a node that has no swap.
at 500s submit -w n1 -p other -c2 --mem 800 --runs 50s
> job 8
> at 500s launch job 8 on n1
at 501s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 9
at 502s show jobs
>  8 other  R   0:02 1 n1
>  9 high   PD  0:00 1 (Resources)
at 600s fault no-swap n2
> at 550s job 8 COMPLETED
> at 550s terminate job 8 on n1
> at 550.001s launch job 9 on n1
> at 560.001s job 9 COMPLETED
> at 560.001s terminate job 9 on n1
at 600s restart n2
at 602s submit -w n2 -c2 --mem 800 --runs 50s
> job 10
> at 602s launch job 10 on n2
at 603s submit -w n2 -p high -c2 --mem 600 --runs 10s
> job 11
at 604s show jobs
> 10 low    R   0:02 1 n2
> 11 high   PD  0:00 1 (Resources)
at 700s repair n2
> at 652s job 10 COMPLETED
> at 652s terminate job 10 on n2
> at 652.001s launch job 11 on n2
> at 662.001s job 11 COMPLETED
> at 662.001s terminate job 11 on n2
at 700s restart n2
Two nodes, and one keeps too much: neither gives anything.
at 701s fault keeps-memory n2
at 702s submit -w n[1-2] -N2 -c2 --mem 800 --runs 60s
> job 12
> at 702s launch job 12 on n1
at 703s step 12
at 704s submit -w n[1-2] -p high -N2 -c2 --mem 600 --runs 10s
> job 13
> at 704s freeze job 12 on n1
> at 704s freeze job 12 on n2
at 710s show jobs
> at 704.001s reclaim job 12 on n1
> at 704.001s reclaim job 12 on n2
> at 706.001s thaw job 12 on n1
> at 706.001s thaw job 12 on n2
> 12 low    R   0:05 2 n[1-2]
> 13 high   PD  0:00 2 (Resources)
at 710s show parts
>  job 12 has 2 CPUs, 800 MB of n1
>  job 12 has 2 CPUs, 800 MB of n2
at 800s repair n2
> at 764.001s job 12 COMPLETED
> at 764.001s terminate job 12 on n1
> at 764.001s terminate job 12 on n2
> at 764.002s launch job 13 on n1
> at 774.002s job 13 COMPLETED
> at 774.002s terminate job 13 on n1
The preemptor goes away while memory is being pushed out: the job is thawed at once, a late answer changes nothing.
at 801s submit -w n1 -c2 --mem 800 --runs 60s
> job 14
> at 801s launch job 14 on n1
at 802s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 15
> at 802s freeze job 14 on n1
at 803s cancel 15
> at 802.001s reclaim job 14 on n1
> at 803s job 15 CANCELLED
> at 803s thaw job 14 on n1
at 804s show jobs
> 14 low    R   0:02 1 n1
at 900s show jobs
> at 862s job 14 COMPLETED
> at 862s terminate job 14 on n1
The frozen job is cancelled while others have its memory: it is not thawed to hear of it.  What it leaves no job gets back.
at 901s submit -w n1 -c2 --mem 800 --runs 60s
> job 16
> at 901s launch job 16 on n1
at 902s submit -w n1 -p high -c2 --mem 600 --runs 50s
> job 17
> at 902s freeze job 16 on n1
at 910s cancel 16
> at 902.001s reclaim job 16 on n1
> at 904.001s launch job 17 on n1
> at 910s job 16 CANCELLED
> at 910s terminate job 16 on n1 at once
at 911s show parts
>  job 17 has 2 CPUs, 600 MB of n1
at 1000s show jobs
> at 954.001s job 17 COMPLETED
> at 954.001s terminate job 17 on n1
It ends while it is asked: the job that waits for its memory gets all of it.
at 1000s delay reclaim 30s
at 1001s submit -w n1 -c2 --mem 800 --runs 60s
> job 18
> at 1001s launch job 18 on n1
at 1002s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 19
> at 1002s freeze job 18 on n1
at 1005s cancel 18
> at 1002.001s reclaim job 18 on n1
> at 1005s job 18 CANCELLED
> at 1005s terminate job 18 on n1
at 1006s show parts
> at 1005.001s launch job 19 on n1
>  job 19 has 2 CPUs, 600 MB of n1
at 1100s delay reclaim 2s
> at 1015.001s job 19 COMPLETED
> at 1015.001s terminate job 19 on n1
The agent is started again in between: it is asked anew.
at 1101s submit -w n1 -c2 --mem 800 --runs 60s
> job 20
> at 1101s launch job 20 on n1
at 1102s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 21
> at 1102s freeze job 20 on n1
at 1103s restart n1
> at 1102.001s reclaim job 20 on n1
at 1110s show jobs
> at 1104s reclaim job 20 on n1
> at 1106s launch job 21 on n1
> 20 low    S   0:01 1 n1
> 21 high   R   0:04 1 n1
at 1200s show jobs
> at 1116s job 21 COMPLETED
> at 1116s terminate job 21 on n1
> at 1116.001s thaw job 20 on n1
> at 1175.001s job 20 COMPLETED
> at 1175.001s terminate job 20 on n1
One that does not say anything is waited for until reclaim_timeout and 10 seconds have passed, and the job is left alone for a while.
at 1201s submit -w n1 -c2 --mem 800 --runs 600s
> job 22
> at 1201s launch job 22 on n1
at 1202s delay reclaim 1000s
at 1203s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 23
> at 1203s freeze job 22 on n1
at 1280s show jobs
> at 1203.001s reclaim job 22 on n1
> at 1273.001s thaw job 22 on n1
> 22 low    R   0:08 1 n1
> 23 high   PD  0:00 1 (Resources)
at 1500s delay reclaim 1s
at 1600s show jobs
> at 1573.001s freeze job 22 on n1
> at 1573.002s reclaim job 22 on n1
> at 1574.002s launch job 23 on n1
> at 1584.002s job 23 COMPLETED
> at 1584.002s terminate job 23 on n1
> at 1584.003s thaw job 22 on n1
> 22 low    R   5:17 1 n1
at 3000s show jobs
> at 1882.003s job 22 COMPLETED
> at 1882.003s terminate job 22 on n1
Two that need nothing but memory of each other, and share no unit: each gives by what it has.
at 3001s submit -w n1 -c1 -n1 --mem 400 --runs 100s
> job 24
> at 3001s launch job 24 on n1
at 3002s submit -w n1 -c1 -n1 --mem 600 --runs 100s
> job 25
> at 3002s launch job 25 on n1
at 3003s submit -w n1 -p high -c1 -n1 --mem 700 --runs 20s
> job 26
> at 3003s freeze job 24 on n1
> at 3003s freeze job 25 on n1
at 3010s show parts
> at 3003.001s reclaim job 24 on n1
> at 3003.001s reclaim job 25 on n1
> at 3004.001s launch job 26 on n1
>  job 24 has 1 CPUs, 120 MB of n1, has given some
>  job 25 has 1 CPUs, 180 MB of n1, has given some
>  job 26 has 1 CPUs, 700 MB of n1
at 3010s show jobs
> 24 low    S   0:02 1 n1
> 25 low    S   0:01 1 n1
> 26 high   R   0:05 1 n1
at 3030s show jobs
> at 3024.001s job 26 COMPLETED
> at 3024.001s terminate job 26 on n1
> at 3024.002s thaw job 24 on n1
> at 3024.002s thaw job 25 on n1
> 24 low    R   0:07 1 n1
> 25 low    R   0:06 1 n1
at 3030s show parts
>  job 24 has 1 CPUs, 400 MB of n1
>  job 25 has 1 CPUs, 600 MB of n1
at 3300s show jobs
> at 3122.002s job 24 COMPLETED
> at 3122.002s terminate job 24 on n1
> at 3123.002s job 25 COMPLETED
> at 3123.002s terminate job 25 on n1
Suspended by hand it keeps its memory.
at 3301s submit -w n1 -c2 --mem 800 --runs 50s
> job 27
> at 3301s launch job 27 on n1
at 3302s suspend 27
> at 3302s freeze job 27 on n1
at 3303s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 28
at 3304s show jobs
> 27 low    S   0:01 1 n1
> 28 high   PD  0:00 1 (Resources)
at 3305s resume 27
> at 3305s reclaim job 27 on n1
at 3306s show jobs
> at 3306s launch job 28 on n1
> 27 low    S   0:01 1 n1
> 28 high   R   0:00 1 n1
at 3500s show jobs
> at 3316s job 28 COMPLETED
> at 3316s terminate job 28 on n1
> at 3316.001s thaw job 27 on n1
> at 3365.001s job 27 COMPLETED
> at 3365.001s terminate job 27 on n1
What is free of its node's swap bounds it; when more becomes free, or swap is switched on, a waiting job has it at once.
at 3500s submit -w n1 -c2 --mem 800 --runs 200s
> job 29
> at 3500s launch job 29 on n1
at 3501s swap n1 300
at 3501s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 30
at 3502s show jobs
> 29 low    R   0:02 1 n1
> 30 high   PD  0:00 1 (Resources)
at 3503s swap n1 310
at 3504s swap n1 1000
> at 3504s freeze job 29 on n1
at 3510s show jobs
> at 3504.001s reclaim job 29 on n1
> at 3505.001s launch job 30 on n1
> 29 low    S   0:04 1 n1
> 30 high   R   0:04 1 n1
at 3540s swap n1 none
> at 3515.001s job 30 COMPLETED
> at 3515.001s terminate job 30 on n1
> at 3515.002s thaw job 29 on n1
at 3541s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 31
at 3542s show jobs
> 29 low    R   0:30 1 n1
> 31 high   PD  0:00 1 (Resources)
at 3543s swap n1 1000
> at 3543s freeze job 29 on n1
at 3550s show jobs
> at 3543.001s reclaim job 29 on n1
> at 3544.001s launch job 31 on n1
> 29 low    S   0:31 1 n1
> 31 high   R   0:05 1 n1
A job that did not give, as the swap was full, is asked again then.
at 3590s fault keeps-memory n1
> at 3554.001s job 31 COMPLETED
> at 3554.001s terminate job 31 on n1
> at 3554.002s thaw job 29 on n1
at 3590s submit -w n1 -p high -c2 --mem 600 --runs 10s
> job 32
> at 3590s freeze job 29 on n1
at 3600s show jobs
> at 3590.001s reclaim job 29 on n1
> at 3591.001s thaw job 29 on n1
> 29 low    R   1:16 1 n1
> 32 high   PD  0:00 1 (Resources)
at 3601s repair n1
at 3602s swap n1 2000
> at 3602s freeze job 29 on n1
at 3610s show jobs
> at 3602.001s reclaim job 29 on n1
> at 3603.001s launch job 32 on n1
> 29 low    S   1:18 1 n1
> 32 high   R   0:06 1 n1
