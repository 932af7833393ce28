A heterogeneous job takes part in no time slice: resumed by hand where another job has got its cores, it waits for that job's end, and nothing passes it there.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES OverSubscribe=FORCE:3
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -w n1 -n4 -t 600s --runs 300s : -w n2 -n4 -t 600s --runs 300s
> job 1, with components up to 2
> at 1s launch job 1 on n1
at 10s suspend 1
> at 10s freeze job 1 on n1
at 10s suspend 2
at 11s submit -w n1 -n4 -t 300s --runs 200s
> job 3
> at 11s launch job 3 on n1
at 20s resume 1
at 20s resume 2
at 21s submit -w n1 -n4 -t 300s --runs 200s
> job 4
at 22s submit -w n2 -n4 -t 300s --runs 200s
> job 5
at 100s show jobs
>  1 p      S   0:09 1 n1
>  2 p      S   0:09 1 n2
>  3 p      R   1:29 1 n1
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 1 (Resources)
at 220s show jobs
> at 211s job 3 COMPLETED
> at 211s terminate job 3 on n1
> at 211.001s thaw job 1 on n1
>  1 p      R   0:17 1 n1
>  2 p      R   0:17 1 n2
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 1 (Resources)
at 800s show jobs
> at 502.001s job 1 COMPLETED
> at 502.001s terminate job 1 on n1
> at 502.001s job 2 COMPLETED
> at 502.001s launch job 5 on n2
> at 502.002s launch job 4 on n1
> at 702.001s job 5 COMPLETED
> at 702.001s terminate job 5 on n2
> at 702.002s job 4 COMPLETED
> at 702.002s terminate job 4 on n1
