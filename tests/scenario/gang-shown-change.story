Whom a job stands still for, as squeue shows it: also while the change takes its time, and for another component.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=30
NodeName=n[1-3] CPUs=4
PartitionName=p OverSubscribe=FORCE:2 Nodes=n[1-3] Default=YES
PartitionName=top Nodes=n[1-3] OverSubscribe=FORCE:1 PriorityTier=5
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
While a freeze takes long.
at 19s delay freeze 5s
at 20s submit -w n1 -n4 -t 600s
> job 1
> at 20s launch job 1 on n1
at 21s submit -w n1 -n4 -t 600s
> job 2
at 22s show stopped
> 2 for 1 until 51s
at 52s show stopped
> at 51s freeze job 1 on n1
> 1 for 2 until 81s
> 2 for 1 until 52s
at 52s show jobs
>  1 p      S   0:31 1 n1
>  2 p      S   0:00 1 n1
at 60s show jobs
> at 56s launch job 2 on n1
>  1 p      S   0:31 1 n1
>  2 p      R   0:04 1 n1
at 60s cancel 1
> at 60s job 1 CANCELLED
> at 60s terminate job 1 on n1 at once
at 60s cancel 2
> at 60s job 2 CANCELLED
> at 60s terminate job 2 on n1
While the preemptor is being cleaned up.
at 61s delay freeze 1ms
at 61s delay gone 10s
at 75s submit -w n1 -n4 -t 600s
> job 3
> at 75s launch job 3 on n1
at 76s submit -p top -w n1 -n4 -t 600s --runs 5s
> job 4
> at 76s freeze job 3 on n1
at 77s show stopped
> at 76.001s launch job 4 on n1
> 3 for 4 until 676.001s
at 83s show stopped
> at 81.001s job 4 COMPLETED
> at 81.001s terminate job 4 on n1
> 3 for 4 until 83s
at 83s show jobs
>  3 p      S   0:01 1 n1
>  4 top    CG  0:05 1 n1
at 120s cancel 3
> at 91.001s thaw job 3 on n1
> at 120s job 3 CANCELLED
> at 120s terminate job 3 on n1
A heterogeneous job of which one component is in the way.
at 140s submit -w n1 -n4 -t 600s : -w n2 -n4 -t 600s
> job 5, with components up to 6
> at 140s launch job 5 on n1
at 141s submit -p top -w n2 -n4 -t 600s --runs 50s
> job 7
> at 141s freeze job 5 on n1
> at 141s launch job 7 on n2
at 142s show stopped
> 5 for 7 until 741s
> 6 for 7 until 741s
at 142s show jobs
>  5 p      S   0:01 1 n1
>  6 p      S   0:01 1 n2
>  7 top    R   0:01 1 n2
