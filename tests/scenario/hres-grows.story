A layer that gets a node, or is new: jobs that run there are not counted in it, and the log names them.
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
> at 2s log: JobId=1 has started before the layer flat(n[1-2,4]) was there: what it has of flat is not counted in it until it ends
at 3s show licenses
> flat(n3) 3 of 4
> flat(n[1-2,4]) 0 of 4
>  job 1 has flat(n[1-2]):3
>  job 2 has flat(n3):3
at 4s kill
> at 4s log: JobId=1 has started before the layer flat(n[1-2,4]) was there: what it has of flat is not counted in it until it ends
at 5s show licenses
> flat(n3) 3 of 4
> flat(n[1-2,4]) 0 of 4
>  job 1 has flat(n[1-2]):3
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
