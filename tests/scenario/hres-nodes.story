MODE_1: one node in a layer with enough is enough for any beside it; but a job that does not ask for more nodes gets none for its layers alone.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
NodeName=n[1-4] CPUs=4
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: natural
resources.yaml   mode: MODE_1
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 5}
resources.yaml     - {nodes: ["n[1-2]"], count: -1}
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -w n3 -L natural:4 -t 100s --runs 50s
> job 1
> at 1s launch job 1 on n3
at 1s submit -w n3 -L natural:4 -t 100s --runs 50s
> job 2
at 1s submit -w n3 -N1-2 -L natural:4 -t 100s --runs 50s
> job 3
> at 1s launch job 3 on n1
at 1s submit -w n4 -n8 -L natural:4 -t 100s --runs 50s
> job 4
> at 1s launch job 4 on n1
at 2s show licenses
> natural(n[1-2]) 8 of 4294967295
> natural(n[1-4]) 4 of 5
>  job 1 has natural(n[1-4]):4
>  job 3 has natural(n[1-2]):4
>  job 4 has natural(n[1-2]):4
at 2s show jobs
>  1 main   R   0:01 1 n3
>  2 main   PD  0:00 1 (Licenses)
>  3 main   R   0:01 2 n[1,3]
>  4 main   R   0:01 3 n[1-2,4]
at 2s show plan
> 2 at 101s on n3 until 201s
at 300s show jobs
> at 51s job 1 COMPLETED
> at 51s terminate job 1 on n3
> at 51s job 3 COMPLETED
> at 51s terminate job 3 on n1
> at 51s job 4 COMPLETED
> at 51s terminate job 4 on n1
> at 51.001s launch job 2 on n3
> at 101.001s job 2 COMPLETED
> at 101.001s terminate job 2 on n3
