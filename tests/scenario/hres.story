Hierarchical resources, the examples of the guide on eight nodes: MODE_1 takes from one layer that the job's nodes are in, the largest first; MODE_2 from each; MODE_3 from each for each node.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-8] CPUs=1
PartitionName=main Nodes=n[1-8] Default=YES MaxTime=INFINITE
PartitionName=half Nodes=n[5-8] MaxTime=INFINITE
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-8]"], count: 24}
resources.yaml     - {nodes: ["n[1-4]"], count: 16}
resources.yaml     - {nodes: ["n[5-8]"], count: 16}
resources.yaml     - {nodes: ["n[1-2]"], count: 12}
resources.yaml     - {nodes: ["n[3-4]"], count: 12}
resources.yaml     - {nodes: ["n[5-6]"], count: 12}
resources.yaml     - {nodes: ["n[7-8]"], count: 12}
resources.yaml - resource: natural
resources.yaml   mode: MODE_1
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-8]"], count: 50}
resources.yaml     - {nodes: ["n[1-4]"], count: 100}
resources.yaml     - {nodes: ["n[5-8]"], count: 100}
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   variables: [{name: full_node, value: 1000}]
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-8]"], count: 5000}
resources.yaml     - {nodes: ["n[1-4]"], count: 3000, base: [{name: switch, value: 1000}]}
resources.yaml     - {nodes: ["n[5-8]"], count: 4000}
end
at 0s submit -L nosuch
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
> refused: Invalid license specification (there is no license nosuch)
at 0s submit -L flat:13
> refused: Invalid license specification (13 of flat requested, 12 can be had of it at most)
at 0s submit -L natural(n[1-8]):1
> refused: Invalid license specification ("natural(n[1-8]):1": a layer is for reservations; a job asks for the resource)
at 0s submit -L flat:1|natural:1
> refused: Invalid license specification (flat: a hierarchical resource cannot be one of several ("|"))
at 0s submit -L power:half_node
> refused: Invalid license specification (half_node: a count or one of its variables was expected behind power)
at 0s submit -p half -N2 -L natural:101
> refused: Invalid license specification (101 of natural requested, 100 can be had of it at most)
The largest layer of natural that has enough; all of flat.
at 1s submit -N1 -L natural:80,flat:12 -t 100s --runs 50s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N1 -L natural:80 -t 100s --runs 60s
> job 2
> at 1s launch job 2 on n5
at 1s submit -N1 -L flat:12 -t 100s --runs 70s
> job 3
> at 1s launch job 3 on n6
at 2s show licenses
> flat(n[1-2]) 12 of 12
> flat(n[1-4]) 12 of 16
> flat(n[1-8]) 24 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 12 of 12
> flat(n[5-8]) 12 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 80 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 80 of 100
> power(n[1-4]) 0 of 2000
> power(n[1-8]) 0 of 4000
> power(n[5-8]) 0 of 4000
>  job 1 has natural(n[1-4]):80,flat(n[1-8]):12,flat(n[1-4]):12,flat(n[1-2]):12
>  job 2 has natural(n[5-8]):80
>  job 3 has flat(n[1-8]):12,flat(n[5-8]):12,flat(n[5-6]):12
Nothing is left for the next: on n[1-4] are 4, and 24 are taken altogether.
at 3s submit -N1 -L flat:1 -t 100s --runs 10s
> job 4
at 4s show jobs
>  1 main   R   0:03 1 n1
>  2 main   R   0:03 1 n5
>  3 main   R   0:03 1 n6
>  4 main   PD  0:00 1 (Licenses)
at 4s show plan
> 4 at 101s on n1 until 201s
Of natural there are 20, 20 and 50: only the outer layer has enough.
at 5s submit -N1 -L natural:30 -t 100s --runs 20s
> job 5
> at 5s launch job 5 on n2
at 6s show licenses
> flat(n[1-2]) 12 of 12
> flat(n[1-4]) 12 of 16
> flat(n[1-8]) 24 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 12 of 12
> flat(n[5-8]) 12 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 80 of 100
> natural(n[1-8]) 30 of 50
> natural(n[5-8]) 80 of 100
> power(n[1-4]) 0 of 2000
> power(n[1-8]) 0 of 4000
> power(n[5-8]) 0 of 4000
>  job 1 has natural(n[1-4]):80,flat(n[1-8]):12,flat(n[1-4]):12,flat(n[1-2]):12
>  job 2 has natural(n[5-8]):80
>  job 3 has flat(n[1-8]):12,flat(n[5-8]):12,flat(n[5-6]):12
>  job 5 has natural(n[1-8]):30
at 200s show licenses
> at 25s job 5 COMPLETED
> at 25s terminate job 5 on n2
> at 51s job 1 COMPLETED
> at 51s terminate job 1 on n1
> at 51.001s launch job 4 on n1
> at 61s job 2 COMPLETED
> at 61s terminate job 2 on n5
> at 61.001s job 4 COMPLETED
> at 61.001s terminate job 4 on n1
> at 71s job 3 COMPLETED
> at 71s terminate job 3 on n6
> flat(n[1-2]) 0 of 12
> flat(n[1-4]) 0 of 16
> flat(n[1-8]) 0 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 0 of 12
> flat(n[5-8]) 0 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 0 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 0 of 100
> power(n[1-4]) 0 of 2000
> power(n[1-8]) 0 of 4000
> power(n[5-8]) 0 of 4000
MODE_3: three nodes of n[1-4] would be too many, of all eight five.
at 300s submit -N4 -L power:full_node -t 100s --runs 50s
> job 6
> at 300s launch job 6 on n1
at 300s submit -N2 -L power:full_node -t 100s --runs 50s
> job 7
at 301s show licenses
> flat(n[1-2]) 0 of 12
> flat(n[1-4]) 0 of 16
> flat(n[1-8]) 0 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 0 of 12
> flat(n[5-8]) 0 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 0 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 0 of 100
> power(n[1-4]) 2000 of 2000
> power(n[1-8]) 4000 of 4000
> power(n[5-8]) 2000 of 4000
>  job 6 has power(n[1-8]):4000,power(n[1-4]):2000,power(n[5-8]):2000
at 301s show jobs
>  6 main   R   0:01 4 n[1-2,5-6]
>  7 main   PD  0:00 2 (Licenses)
at 301s kill
at 302s show licenses
> at 301.5s n1 registers
> at 301.582s n7 registers
> at 301.597s n2 registers
> at 301.679s n8 registers
> at 301.694s n3 registers
> at 301.791s n4 registers
> at 301.888s n5 registers
> at 301.985s n6 registers
> flat(n[1-2]) 0 of 12
> flat(n[1-4]) 0 of 16
> flat(n[1-8]) 0 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 0 of 12
> flat(n[5-8]) 0 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 0 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 0 of 100
> power(n[1-4]) 2000 of 2000
> power(n[1-8]) 4000 of 4000
> power(n[5-8]) 2000 of 4000
>  job 6 has power(n[1-8]):4000,power(n[1-4]):2000,power(n[5-8]):2000
at 302s estimate -N2 -L power:full_node -t 10s
> in 00:01:38 on n[5-6], 2 CPUs
at 500s show licenses
> at 350s job 6 COMPLETED
> at 350s terminate job 6 on n1
> at 350.001s launch job 7 on n1
> at 400.001s job 7 COMPLETED
> at 400.001s terminate job 7 on n1
> flat(n[1-2]) 0 of 12
> flat(n[1-4]) 0 of 16
> flat(n[1-8]) 0 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 0 of 12
> flat(n[5-8]) 0 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 0 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 0 of 100
> power(n[1-4]) 0 of 2000
> power(n[1-8]) 0 of 4000
> power(n[5-8]) 0 of 4000
A job that gives nodes back: of MODE_3 for each of these, of MODE_2 the layers that it has none in any more; of MODE_1 it keeps what it has.
at 600s submit -N4 -w n[1-2,5-6] -L power:full_node,flat:2,natural:3 -t 1000s --runs 500s
> job 8
> at 600s launch job 8 on n1
at 600s submit -N2 -w n[5-6] -L power:full_node -t 100s --runs 50s
> job 9
at 601s show licenses
> flat(n[1-2]) 2 of 12
> flat(n[1-4]) 2 of 16
> flat(n[1-8]) 2 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 2 of 12
> flat(n[5-8]) 2 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 3 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 0 of 100
> power(n[1-4]) 2000 of 2000
> power(n[1-8]) 4000 of 4000
> power(n[5-8]) 2000 of 4000
>  job 8 has power(n[1-8]):4000,power(n[1-4]):2000,power(n[5-8]):2000,flat(n[1-8]):2,flat(n[1-4]):2,flat(n[5-8]):2,flat(n[1-2]):2,flat(n[5-6]):2,natural(n[1-4]):3
at 602s update JobId=8 NodeList=n[1-2]
> at 602s launch job 9 on n5
at 603s show licenses
> flat(n[1-2]) 2 of 12
> flat(n[1-4]) 2 of 16
> flat(n[1-8]) 2 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 0 of 12
> flat(n[5-8]) 0 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 3 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 0 of 100
> power(n[1-4]) 2000 of 2000
> power(n[1-8]) 4000 of 4000
> power(n[5-8]) 2000 of 4000
>  job 8 has power(n[1-8]):2000,power(n[1-4]):2000,flat(n[1-8]):2,flat(n[1-4]):2,flat(n[1-2]):2,natural(n[1-4]):3
>  job 9 has power(n[1-8]):2000,power(n[5-8]):2000
at 603s kill
at 605s show licenses
> at 603.5s n1 registers
> at 603.582s n7 registers
> at 603.597s n2 registers
> at 603.679s n8 registers
> at 603.694s n3 registers
> at 603.791s n4 registers
> at 603.888s n5 registers
> at 603.985s n6 registers
> flat(n[1-2]) 2 of 12
> flat(n[1-4]) 2 of 16
> flat(n[1-8]) 2 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 0 of 12
> flat(n[5-8]) 0 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 3 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 0 of 100
> power(n[1-4]) 2000 of 2000
> power(n[1-8]) 4000 of 4000
> power(n[5-8]) 2000 of 4000
>  job 8 has power(n[1-8]):2000,power(n[1-4]):2000,flat(n[1-8]):2,flat(n[1-4]):2,flat(n[1-2]):2,natural(n[1-4]):3
>  job 9 has power(n[1-8]):2000,power(n[5-8]):2000
at 700s update JobId=8 NumNodes=1
> at 652s job 9 COMPLETED
> at 652s terminate job 9 on n5
at 701s show licenses
> flat(n[1-2]) 2 of 12
> flat(n[1-4]) 2 of 16
> flat(n[1-8]) 2 of 24
> flat(n[3-4]) 0 of 12
> flat(n[5-6]) 0 of 12
> flat(n[5-8]) 0 of 16
> flat(n[7-8]) 0 of 12
> natural(n[1-4]) 3 of 100
> natural(n[1-8]) 0 of 50
> natural(n[5-8]) 0 of 100
> power(n[1-4]) 1000 of 2000
> power(n[1-8]) 1000 of 4000
> power(n[5-8]) 0 of 4000
>  job 8 has power(n[1-8]):1000,power(n[1-4]):1000,flat(n[1-8]):2,flat(n[1-4]):2,flat(n[1-2]):2,natural(n[1-4]):3
