Parts of several nodes in the plan, beside jobs that have their nodes for themselves; an early end moves those alone that it helps.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_resolution=0
NodeName=n[1-3] CPUs=4
PartitionName=p Nodes=ALL Default=YES
PartitionName=alone Nodes=ALL OverSubscribe=EXCLUSIVE
PartitionName=often Nodes=ALL OverSubscribe=YES:2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -n3 -N1 -w n1 -t 1000s --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 1s submit -n3 -N1 -w n2 -t 200s --runs 200s
> job 2
> at 1s launch job 2 on n2
at 1s submit -n4 -N1 -w n3 -t 500s --runs 50s
> job 3
> at 1s launch job 3 on n3
Two cores of two nodes each: n2 and n3, when the later of the two is over.
at 2s submit -N2 -n2 -c2 -t 300s --runs 300s
> job 4
One that would have n2 for itself fits before it, and smaller ones beside and between.
at 3s submit -p alone -N1 -w n2 -t 100s --runs 100s
> job 5
at 3s submit -N1 -n2 -t 100s --runs 100s
> job 6
at 3s submit -N1 -n3 -t 90s --runs 90s
> job 7
at 3s submit -n1 -t 60s --runs 60s
> job 8
> at 3s launch job 8 on n1
at 3s submit -n1 -t 600s --runs 60s
> job 9
at 4s submit -p often -s -N1 -n2 -t 100s --runs 10s
> job 10
at 5s show plan
> 4 at 501s on n[2-3] until 801s
> 5 at 201s on n2 until 301s
> 6 at 301s on n2 until 401s
> 7 at 401s on n2 until 491s
> 9 at 63s on n1 until 663s
> 10 at 801s on n2 until 901s
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:04 1 n2
>  3 p      R   0:04 1 n3
>  4 p      PD  0:00 2 (Resources)
>  5 alone  PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 1 (Priority)
>  8 p      R   0:02 1 n1
>  9 p      PD  0:00 1 (Priority)
> 10 often  PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
n3 is free at 51 s: 6 and 9 start there, and 4 comes right after 5.
at 60s show plan
> at 51s job 3 COMPLETED
> at 51s terminate job 3 on n3
> at 51.001s launch job 6 on n3
> at 51.001s launch job 9 on n3
> 4 at 301s on n[2-3] until 601s
> 5 at 201s on n2 until 301s
> 7 at 151.001s on n3 until 241.001s
> 10 at 601s on n2 until 701s
at 60s show jobs
>  1 p      R   0:59 1 n1
>  2 p      R   0:59 1 n2
>  4 p      PD  0:00 2 (Resources)
>  5 alone  PD  0:00 1 (ReqNodeNotAvail, May be reserved for other job)
>  6 p      R   0:08 1 n3
>  7 p      PD  0:00 1 (Priority)
>  8 p      R   0:57 1 n1
>  9 p      R   0:08 1 n3
> 10 often  PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
at 2000s show jobs
> at 63s job 8 COMPLETED
> at 63s terminate job 8 on n1
> at 111.001s job 9 COMPLETED
> at 111.001s terminate job 9 on n3
> at 151.001s job 6 COMPLETED
> at 151.001s terminate job 6 on n3
> at 151.002s launch job 7 on n3
> at 201s job 2 COMPLETED
> at 201s terminate job 2 on n2
> at 241.002s job 7 COMPLETED
> at 241.002s terminate job 7 on n3
> at 241.003s launch job 4 on n2
> at 241.003s launch job 10 on n2
> at 251.003s job 10 COMPLETED
> at 251.003s terminate job 10 on n2
> at 541.003s job 4 COMPLETED
> at 541.003s terminate job 4 on n2
> at 541.004s launch job 5 on n2
> at 641.004s job 5 COMPLETED
> at 641.004s terminate job 5 on n2
> at 1001s job 1 COMPLETED
> at 1001s terminate job 1 on n1
