A layer that gets a node, or is new, is charged for what runs there, whatever is free in it, and the log names it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - nodes: ["n[1-2]"]
resources.yaml       count: 4
resources.yaml     - nodes: ["n3"]
resources.yaml       count: 4
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s tell log
at 1s submit -w n1 -L flat:3 --runs 100s
> job 1
> at 1s log: Allocate JobId=1 NodeList=n1 #CPUs=1 Partition=p
> at 1s launch job 1 on n1
at 1s submit -w n3 -L flat:3 --runs 100s
> job 2
> at 1s log: Allocate JobId=2 NodeList=n3 #CPUs=1 Partition=p
> at 1s launch job 2 on n3
at 2s show licenses
> flat(n3) 3 of 4
> flat(n[1-2]) 3 of 4
>  job 1 has flat(n[1-2]):3
>  job 2 has flat(n3):3
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - nodes: ["n[1-2]","n4"]
resources.yaml       count: 4
resources.yaml     - nodes: ["n3"]
resources.yaml       count: 4
end
> at 2s log: JobId=1 has started before the layer flat(n[1-2,4]) was there: it is charged for 3 there now
at 3s show licenses
> flat(n3) 3 of 4
> flat(n[1-2,4]) 3 of 4
>  job 1 has flat(n[1-2,4]):3
>  job 2 has flat(n3):3
at 4s kill
at 5s show licenses
> flat(n3) 3 of 4
> flat(n[1-2,4]) 3 of 4
>  job 1 has flat(n[1-2,4]):3
>  job 2 has flat(n3):3
at 200s submit -w n1 -L flat:3 --runs 100s
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101s job 2 COMPLETED
> at 101s terminate job 2 on n3
> job 3
> at 200s log: Allocate JobId=3 NodeList=n1 #CPUs=1 Partition=p
> at 200s launch job 3 on n1
at 201s show licenses
> flat(n3) 0 of 4
> flat(n[1-2,4]) 3 of 4
>  job 3 has flat(n[1-2,4]):3
A layer that is new; of MODE_1 one layer alone is charged, the largest that has enough, else the largest; MODE_3 is charged for each node.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-2]"], count: 4}
resources.yaml - resource: natural
resources.yaml   mode: MODE_1
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-2]"], count: 4}
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-2]"], count: 40}
end
> at 201s log: JobId=3 has started before the layer flat(n[1-2]) was there: it is charged for 3 there now
at 400s show licenses
> at 300s job 3 COMPLETED
> at 300s terminate job 3 on n1
> flat(n[1-2]) 0 of 4
> natural(n[1-2]) 0 of 4
> power(n[1-2]) 0 of 40
at 400s submit -w n[1-2] -N2 -L flat:2,natural:2,power:10 --runs 100s
> job 4
> at 400s log: Allocate JobId=4 NodeList=n[1-2] #CPUs=2 Partition=p
> at 400s launch job 4 on n1
at 400s submit -w n1 -L natural:2 --runs 100s
> job 5
> at 400s log: Allocate JobId=5 NodeList=n1 #CPUs=1 Partition=p
> at 400s launch job 5 on n1
at 401s show licenses
> flat(n[1-2]) 2 of 4
> natural(n[1-2]) 4 of 4
> power(n[1-2]) 20 of 40
>  job 4 has flat(n[1-2]):2,natural(n[1-2]):2,power(n[1-2]):20
>  job 5 has natural(n[1-2]):2
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-2]"], count: 4}
resources.yaml     - {nodes: ["n2"], count: 1}
resources.yaml     - {nodes: ["n[3-4]"], count: 1}
resources.yaml - resource: natural
resources.yaml   mode: MODE_1
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-3]"], count: 3}
resources.yaml     - {nodes: ["n1"], count: 2}
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 40}
resources.yaml     - {nodes: ["n[1-2]"], count: 40}
resources.yaml     - {nodes: ["n[3-4]"], count: 40}
end
> at 401s log: JobId=4 has started before the layer flat(n2) was there: it is charged for 2 there now
> at 401s log: JobId=4 has started before the layer natural(n[1-3]) was there: it is charged for 2 there now
> at 401s log: JobId=4 has started before the layer power(n[1-4]) was there: it is charged for 20 there now
> at 401s log: JobId=5 has started before the layer natural(n1) was there: it is charged for 2 there now
at 402s show licenses
> flat(n2) 2 of 1
> flat(n[1-2]) 2 of 4
> flat(n[3-4]) 0 of 1
> natural(n1) 2 of 2
> natural(n[1-3]) 2 of 3
> power(n[1-2]) 20 of 40
> power(n[1-4]) 20 of 40
> power(n[3-4]) 0 of 40
>  job 4 has flat(n[1-2]):2,power(n[1-2]):20,flat(n2):2,natural(n[1-3]):2,power(n[1-4]):20
>  job 5 has natural(n1):2
at 403s kill
at 404s show licenses
> flat(n2) 2 of 1
> flat(n[1-2]) 2 of 4
> flat(n[3-4]) 0 of 1
> natural(n1) 2 of 2
> natural(n[1-3]) 2 of 3
> power(n[1-2]) 20 of 40
> power(n[1-4]) 20 of 40
> power(n[3-4]) 0 of 40
>  job 4 has flat(n[1-2]):2,power(n[1-2]):20,flat(n2):2,natural(n[1-3]):2,power(n[1-4]):20
>  job 5 has natural(n1):2
What runs beyond a layer's count keeps others out until it is over.
at 405s submit -w n2 -L flat --runs 10s
> job 6
at 406s show jobs
>  4 p      R   0:06 2 n[1-2]
>  5 p      R   0:06 1 n1
>  6 p      PD  0:00 1 (Licenses)
at 600s show licenses
> at 500s job 4 COMPLETED
> at 500s terminate job 4 on n1
> at 500s job 5 COMPLETED
> at 500s terminate job 5 on n1
> at 500.001s log: Allocate JobId=6 NodeList=n2 #CPUs=1 Partition=p
> at 500.001s launch job 6 on n2
> at 510.001s job 6 COMPLETED
> at 510.001s terminate job 6 on n2
> flat(n2) 0 of 1
> flat(n[1-2]) 0 of 4
> flat(n[3-4]) 0 of 1
> natural(n1) 0 of 2
> natural(n[1-3]) 0 of 3
> power(n[1-2]) 0 of 40
> power(n[1-4]) 0 of 40
> power(n[3-4]) 0 of 40
