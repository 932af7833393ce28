What no node has of --constraint, but --prefer can be had: that goes before it, and the job is not refused.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-2] CPUs=2 Feature=a
NodeName=n3 CPUs=2 Feature=a,b
NodeName=n4 CPUs=2 Feature=c
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 0s submit -C b&c -t 1m --runs 10s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> refused: Requested node configuration is not available
at 0s submit -C b&c --prefer b -t 1m --runs 10s
> job 1
> at 0s launch job 1 on n3
at 1s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:01 Nodes=n3 CPUs=1 Exit=0:0
It waits for those nodes and has its place in the plan.
at 1s submit -C b&c --prefer b -n2 -t 1m --runs 10s
> job 2
at 2s show jobs
>  1 main   R   0:02 1 n3
>  2 main   PD  0:00 1 (Resources)
at 2s show plan
> 2 at 60s on n3 until 120s
at 4s show jobs
>  1 main   R   0:04 1 n3
>  2 main   PD  0:00 1 (Resources)
at 30s show jobs
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n3
> at 10.001s launch job 2 on n3
> at 20.001s job 2 COMPLETED
> at 20.001s terminate job 2 on n3
More of what is preferred than there is: neither.
at 40s submit -C b&c --prefer b -N2 -t 1m --runs 10s
> refused: Requested node configuration is not available
at 40s submit -C b&c --prefer a&b&c -t 1m --runs 10s
> refused: Requested node configuration is not available
A list that cannot be had with counts.
at 50s submit -C [b*2&c*1] --prefer a -N3 -t 1m --runs 10s
> job 3
> at 50s launch job 3 on n1
Those of an array too.
at 60s submit -C b&c --prefer c --array 1-3 -n2 -t 1m --runs 10s
> at 60s job 3 COMPLETED
> at 60s terminate job 3 on n1
> job 4
> at 60s launch job 5 on n4
at 61s show jobs
> 4_[2-3] main   PD  0:00 1 (Resources)
> 4_1 main   R   0:01 1 n4
at 100s show jobs
> at 70s job 5 COMPLETED
> at 70s terminate job 5 on n4
> at 70.001s launch job 6 on n4
> at 80.001s job 6 COMPLETED
> at 80.001s terminate job 6 on n4
> at 80.002s launch job 4 on n4
> at 90.002s job 4 COMPLETED
> at 90.002s terminate job 4 on n4
Updated while it waits.
at 110s submit -C c -n2 -t 5m --runs 20s
> job 7
> at 110s launch job 7 on n4
at 111s submit -C c -n2 -t 1m --runs 5s
> job 8
at 112s update owner JobId=8 Features=b&c
> refused: Requested node configuration is not available
at 113s update owner JobId=8 Features=b&c Prefer=b
> at 113s launch job 8 on n3
at 115s show jobs
>  7 main   R   0:05 1 n4
>  8 main   R   0:02 1 n3
