A job that runs gives nodes back: a waiting job gets them at once, and the plan of the others follows; it keeps its cores and frees them at its end.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
NodeName=n[1-3] CPUs=4
PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE
end
at 1s submit -N3 -n7 -t 600m --runs 1000s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1 --exclusive -t 10m --runs 60s
> job 2
at 2s submit -N2 --exclusive -t 10m --runs 60s
> job 3
at 2s submit -N1 -c2 -t 600m --runs 60s
> job 4
at 3s show jobs
>  1 main   R   0:02 3 n[1-3]
>  2 main   PD  0:00 1 (Resources)
>  3 main   PD  0:00 2 (Priority)
>  4 main   PD  0:00 1 (Priority)
at 3s show plan
> 2 at 36001s on n1 until 36601s
> 3 at 36001s on n[2-3] until 36601s
> 4 at 36601s on n1 until 72601s
at 5s update JobId=1 NodeList=n2,n3
> refused: node n1, where the batch script runs, must stay
at 5s update JobId=1 NodeList=n1,n3
> at 5s launch job 2 on n2
> at 5s launch job 4 on n3
at 6s show jobs
>  1 main   R   0:05 2 n[1,3]
>  2 main   R   0:01 1 n2
>  3 main   PD  0:00 2 (Resources)
>  4 main   R   0:01 1 n3
at 6s show cores 1
> job 1: 5 CPUs: n1 0-3; n3 0
at 6s show plan
> 3 at 36001s on n[1-2] until 36601s
at 7s step 1
at 7s update JobId=1 NodeList=n1
> refused: StepId=1.0 runs on nodes that would go and on others; end it first
at 70s show jobs
> at 65s job 2 COMPLETED
> at 65s terminate job 2 on n2
> at 65s job 4 COMPLETED
> at 65s terminate job 4 on n3
>  1 main   R   1:09 2 n[1,3]
>  3 main   PD  0:00 2 (Resources)
at 70s show plan
> 3 at 36001s on n[1-2] until 36601s
at 1200s show job 1
> at 1001s job 1 COMPLETED
> at 1001s terminate job 1 on n1
> at 1001s terminate job 1 on n3
> at 1001.001s launch job 3 on n1
> at 1061.001s job 3 COMPLETED
> at 1061.001s terminate job 3 on n1
> job 1 COMPLETED Reason=None Priority=4294901759 Restarts=0 RunTime=00:16:40 Nodes=n[1,3] CPUs=5 Exit=0:0
at 2000s show nodes
> n[1-3] idle
at 2000s show job 1
> no job 1
With disable_job_shrink a job keeps its nodes, but one that fails.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=disable_job_shrink
NodeName=n[1-3] CPUs=4
PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE
end
at 2002s submit -N3 --no-kill -t 600m --runs 1000s
> job 5
> at 2002s launch job 5 on n1
at 2003s update JobId=5 NumNodes=2
> refused: Requested operation is not supported (SchedulerParameters=disable_job_shrink: a job that runs keeps its nodes)
at 2003s update JobId=5 NodeList=n1,n3
> refused: Requested operation is not supported (SchedulerParameters=disable_job_shrink: a job that runs keeps its nodes)
