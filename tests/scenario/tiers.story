Which jobs may stop which: three tiers (S2 with suspension), equal tiers (S11), a partition that cannot be stopped (S12),
OverSubscribe=NO, memory that stays taken (S19).
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-4] CPUs=2 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1
PartitionName=low Nodes=n1 PriorityTier=10 Default=YES
PartitionName=equal Nodes=n1 PriorityTier=10
PartitionName=med Nodes=n1 PriorityTier=20
PartitionName=hi Nodes=n[1-4] PriorityTier=30 PreemptMode=OFF
PartitionName=top Nodes=n[1-4] PriorityTier=40
PartitionName=no Nodes=n3 PriorityTier=1 OverSubscribe=NO
PartitionName=mem Nodes=n4 PriorityTier=1
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -c2 --mem 100 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -p equal -c2 --mem 100 --runs 10s
> job 2
at 3s show jobs
>  1 low    R   0:02 1 n1
>  2 equal  PD  0:00 1 (Resources)
at 4s submit -p med -c2 --mem 100 --runs 20s
> job 3
> at 4s freeze job 1 on n1
at 5s show jobs
> at 4.001s launch job 3 on n1
>  1 low    S   0:03 1 n1
>  2 equal  PD  0:00 1 (Resources)
>  3 med    R   0:00 1 n1
at 6s submit -p hi -w n1 -c2 --mem 100 --runs 5s
> job 4
> at 6s freeze job 3 on n1
at 7s show jobs
> at 6.001s launch job 4 on n1
>  1 low    S   0:03 1 n1
>  2 equal  PD  0:00 1 (Resources)
>  3 med    S   0:01 1 n1
>  4 hi     R   0:00 1 n1
at 7s submit -p top -w n1 -c2 --mem 100 --runs 5s
> job 5
at 8s show jobs
>  1 low    S   0:03 1 n1
>  2 equal  PD  0:00 1 (Resources)
>  3 med    S   0:01 1 n1
>  4 hi     R   0:01 1 n1
>  5 top    PD  0:00 1 (Resources)
When the higher ones have ended the next higher goes on, not the first that was stopped.
at 12s show jobs
> at 11.001s job 4 COMPLETED
> at 11.001s terminate job 4 on n1
> at 11.002s launch job 5 on n1
>  1 low    S   0:03 1 n1
>  2 equal  PD  0:00 1 (Resources)
>  3 med    S   0:01 1 n1
>  5 top    R   0:00 1 n1
at 60s show jobs
> at 16.002s job 5 COMPLETED
> at 16.002s terminate job 5 on n1
> at 16.003s thaw job 3 on n1
> at 34.004s job 3 COMPLETED
> at 34.004s terminate job 3 on n1
> at 34.005s thaw job 1 on n1
>  1 low    R   0:28 1 n1
>  2 equal  PD  0:00 1 (Resources)
OverSubscribe=NO takes no part.
at 300s submit -p no -c2 --mem 100 --runs 100s
> at 131.005s job 1 COMPLETED
> at 131.005s terminate job 1 on n1
> at 131.006s launch job 2 on n1
> at 141.006s job 2 COMPLETED
> at 141.006s terminate job 2 on n1
> job 6
> at 300s launch job 6 on n3
at 301s submit -p top -w n3 -c2 --mem 100 --runs 10s
> job 7
at 302s show jobs
>  6 no     R   0:02 1 n3
>  7 top    PD  0:00 1 (Resources)
Memory of a stopped job is not given out again.
at 310s submit -p mem -c2 --mem 800 --runs 50s
> job 8
> at 310s launch job 8 on n4
at 311s submit -p top -w n4 -c2 --mem 300 --runs 5s
> job 9
at 312s show jobs
>  6 no     R   0:12 1 n3
>  7 top    PD  0:00 1 (Resources)
>  8 mem    R   0:02 1 n4
>  9 top    PD  0:00 1 (Resources)
at 320s submit -p top -w n4 -c2 --mem 200 --runs 5s
> job 10
> at 320s freeze job 8 on n4
at 321s show jobs
> at 320.001s launch job 10 on n4
>  6 no     R   0:21 1 n3
>  7 top    PD  0:00 1 (Resources)
>  8 mem    S   0:10 1 n4
>  9 top    PD  0:00 1 (Resources)
> 10 top    R   0:00 1 n4
at 500s show jobs
> at 325.001s job 10 COMPLETED
> at 325.001s terminate job 10 on n4
> at 325.002s thaw job 8 on n4
> at 365.002s job 8 COMPLETED
> at 365.002s terminate job 8 on n4
> at 365.003s launch job 9 on n4
> at 370.003s job 9 COMPLETED
> at 370.003s terminate job 9 on n4
> at 400s job 6 COMPLETED
> at 400s terminate job 6 on n3
> at 400.001s launch job 7 on n3
> at 410.001s job 7 COMPLETED
> at 410.001s terminate job 7 on n3
