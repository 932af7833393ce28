With preempt/qos and OverSubscribe=YES jobs that were submitted with --oversubscribe can suspend one another, as with FORCE; others wait.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/qos
PreemptMode=SUSPEND,GANG
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=n[1-2] Default=YES OverSubscribe=YES:2
PartitionName=top Nodes=n[1-2] PriorityTier=5 OverSubscribe=YES:2
end
at 0s sacctmgr add qos low
> at 0s n1 registers
> at 0s n2 registers
at 0s sacctmgr add qos high preempt=low priority=100
at 1s submit -n8 -q low --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -n8 -s -q high --runs 100s
> job 2
at 3s show jobs
>  1 p      R   0:02 2 n[1-2]
>  2 p      PD  0:00 1 (Resources)
at 4s cancel 1
> at 4s job 1 CANCELLED
> at 4s terminate job 1 on n1
at 200s submit -n8 -s -q low --runs 1000s
> at 4.001s launch job 2 on n1
> at 104.001s job 2 COMPLETED
> at 104.001s terminate job 2 on n1
> job 3
> at 200s launch job 3 on n1
at 201s submit -n8 -s -q low --runs 1000s
> job 4
at 202s submit -n8 -q high --runs 100s
> job 5
at 203s show jobs
>  3 p      R   0:03 2 n[1-2]
>  4 p      S   0:00 2 n[1-2]
>  5 p      PD  0:00 1 (Resources)
at 204s cancel 5
> at 204s job 5 CANCELLED
The CPUs have as many jobs as the partition lets them: one more comes by preemption, and all take turns.
at 205s submit -n8 -s -q high --runs 60s
> job 6
at 206s show jobs
>  3 p      R   0:06 2 n[1-2]
>  4 p      S   0:00 2 n[1-2]
>  6 p      S   0:00 2 n[1-2]
at 500s show jobs
> at 231s freeze job 3 on n1
> at 231.001s launch job 4 on n1
> at 261s freeze job 4 on n1
> at 261.001s launch job 6 on n1
> at 291s freeze job 6 on n1
> at 291.001s thaw job 3 on n1
> at 321s freeze job 3 on n1
> at 321.001s thaw job 4 on n1
> at 351s freeze job 4 on n1
> at 351.001s thaw job 6 on n1
> at 381s freeze job 6 on n1
> at 381.001s thaw job 3 on n1
> at 411s freeze job 3 on n1
> at 411.001s thaw job 4 on n1
> at 441s freeze job 4 on n1
> at 441.001s thaw job 6 on n1
> at 441.003s job 6 COMPLETED
> at 441.003s terminate job 6 on n1
> at 441.004s thaw job 3 on n1
>  3 p      R   2:29 2 n[1-2]
>  4 p      S   1:29 2 n[1-2]
at 501s cancel 4
> at 501s job 4 CANCELLED
> at 501s terminate job 4 on n1 at once
In a partition of a higher tier the preemptor runs alone.
at 502s submit -n8 -s -q high -p top --runs 60s
> job 7
> at 502s freeze job 3 on n1
at 503s show jobs
> at 502.001s launch job 7 on n1
>  3 p      S   2:31 2 n[1-2]
>  7 top    R   0:00 2 n[1-2]
at 600s show jobs
> at 562.001s job 7 COMPLETED
> at 562.001s terminate job 7 on n1
> at 562.002s thaw job 3 on n1
>  3 p      R   3:09 2 n[1-2]
