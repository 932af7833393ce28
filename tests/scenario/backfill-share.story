Jobs that share nodes: what is kept for later is whole nodes, what starts now takes what is free of a node.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_resolution=60,bf_window=10
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -n3 -t 100s --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -n3 -t 300s --runs 300s
> job 2
> at 2s launch job 2 on n2
at 3s submit -N2 -n8 -t 100s --runs 100s
> job 3
at 4s submit -n1 -t 50s --runs 50s
> job 4
> at 4s launch job 4 on n1
at 5s submit -n1 -t 250s --runs 250s
> job 5
> at 5s launch job 5 on n2
at 6s submit -n1 -t 400s --runs 10s
> job 6
at 7s show plan
> 3 at 302s on n[1-2] until 440s
> 6 at 440s on n1 until 860s
at 8s show jobs
>  1 p      R   0:07 1 n1
>  2 p      R   0:06 1 n2
>  3 p      PD  0:00 2 (Resources)
>  4 p      R   0:04 1 n1
>  5 p      R   0:03 1 n2
>  6 p      PD  0:00 1 (Priority)
A job that lies further ahead than bf_window has no place.
at 9s submit -N2 -n8 -t 600s --runs 10s
> job 7
at 10s submit -N2 -n8 -t 600s --runs 10s
> job 8
at 11s show plan
> 3 at 302s on n[1-2] until 440s
> 6 at 440s on n1 until 860s
> 7 is not planned
> 8 is not planned
at 1000s show jobs
> at 54s job 4 COMPLETED
> at 54s terminate job 4 on n1
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 255s job 5 COMPLETED
> at 255s terminate job 5 on n2
> at 302s job 2 COMPLETED
> at 302s terminate job 2 on n2
> at 302.001s launch job 3 on n1
> at 402.001s job 3 COMPLETED
> at 402.001s terminate job 3 on n1
> at 402.001s launch job 6 on n2
> at 412.001s job 6 COMPLETED
> at 412.001s terminate job 6 on n2
> at 412.002s launch job 7 on n1
> at 422.002s job 7 COMPLETED
> at 422.002s terminate job 7 on n1
> at 422.003s launch job 8 on n1
> at 432.003s job 8 COMPLETED
> at 432.003s terminate job 8 on n1
