A job that loses nodes and goes on (--no-kill) gives back what it holds of layers as one that is made smaller: of MODE_3 for each node, of MODE_2 the layers that it has none in any more; of MODE_1 it keeps its charge.
conf
SelectType=select/linear
SchedulerType=sched/backfill
SlurmdTimeout=30
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 8}
resources.yaml     - {nodes: ["n[1-2]"], count: 4}
resources.yaml     - {nodes: ["n[3-4]"], count: 4}
resources.yaml - resource: natural
resources.yaml   mode: MODE_1
resources.yaml   layers:
resources.yaml     - {nodes: ["n[3-4]"], count: 9}
resources.yaml     - {nodes: ["n[1-2]"], count: 4}
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   variables: [{name: full_node, value: 1000}]
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 4000}
resources.yaml     - {nodes: ["n[1-2]"], count: 2000}
resources.yaml     - {nodes: ["n[3-4]"], count: 2000}
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N4 --no-kill -L power:full_node,flat:3,natural:2 -t 5000s --runs 5000s
> job 1
> at 1s launch job 1 on n1
at 2s show licenses
> flat(n[1-2]) 3 of 4
> flat(n[1-4]) 3 of 8
> flat(n[3-4]) 3 of 4
> natural(n[1-2]) 0 of 4
> natural(n[3-4]) 2 of 9
> power(n[1-2]) 2000 of 2000
> power(n[1-4]) 4000 of 4000
> power(n[3-4]) 2000 of 2000
>  job 1 has power(n[1-4]):4000,power(n[1-2]):2000,power(n[3-4]):2000,flat(n[1-4]):3,flat(n[1-2]):3,flat(n[3-4]):3,natural(n[3-4]):2
at 10s cut n3
at 60s show licenses
> flat(n[1-2]) 3 of 4
> flat(n[1-4]) 3 of 8
> flat(n[3-4]) 3 of 4
> natural(n[1-2]) 0 of 4
> natural(n[3-4]) 2 of 9
> power(n[1-2]) 2000 of 2000
> power(n[1-4]) 3000 of 4000
> power(n[3-4]) 1000 of 2000
>  job 1 has power(n[1-4]):3000,power(n[1-2]):2000,power(n[3-4]):1000,flat(n[1-4]):3,flat(n[1-2]):3,flat(n[3-4]):3,natural(n[3-4]):2
at 61s cut n4
at 120s show licenses
> flat(n[1-2]) 3 of 4
> flat(n[1-4]) 3 of 8
> flat(n[3-4]) 0 of 4
> natural(n[1-2]) 0 of 4
> natural(n[3-4]) 2 of 9
> power(n[1-2]) 2000 of 2000
> power(n[1-4]) 2000 of 4000
> power(n[3-4]) 0 of 2000
>  job 1 has power(n[1-4]):2000,power(n[1-2]):2000,flat(n[1-4]):3,flat(n[1-2]):3,natural(n[3-4]):2
at 120s show jobs
>  1 main   R   1:59 2 n[1-2]
at 121s kill
at 130s show licenses
> flat(n[1-2]) 3 of 4
> flat(n[1-4]) 3 of 8
> flat(n[3-4]) 0 of 4
> natural(n[1-2]) 0 of 4
> natural(n[3-4]) 2 of 9
> power(n[1-2]) 2000 of 2000
> power(n[1-4]) 2000 of 4000
> power(n[3-4]) 0 of 2000
>  job 1 has power(n[1-4]):2000,power(n[1-2]):2000,flat(n[1-4]):3,flat(n[1-2]):3,natural(n[3-4]):2
The value of a variable counts for jobs that start from then on: a job that runs gives back what it was charged.
conf
SelectType=select/linear
SchedulerType=sched/backfill
SlurmdTimeout=30
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   variables: [{name: full_node, value: 10}]
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 4000}
resources.yaml     - {nodes: ["n[1-2]"], count: 2000}
resources.yaml     - {nodes: ["n[3-4]"], count: 2000}
end
at 131s show licenses
> power(n[1-2]) 2000 of 2000
> power(n[1-4]) 2000 of 4000
> power(n[3-4]) 0 of 2000
>  job 1 has power(n[1-4]):2000,power(n[1-2]):2000,flat(n[1-4]):3,flat(n[1-2]):3,natural(n[3-4]):2
at 132s update JobId=1 NodeList=n1
at 133s show licenses
> power(n[1-2]) 1000 of 2000
> power(n[1-4]) 1000 of 4000
> power(n[3-4]) 0 of 2000
>  job 1 has power(n[1-4]):1000,power(n[1-2]):1000,flat(n[1-4]):3,flat(n[1-2]):3,natural(n[3-4]):2
