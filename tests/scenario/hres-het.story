Hierarchical resources of a heterogeneous job: each component has its own, and all start together.
conf
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 3}
resources.yaml     - {nodes: ["n[1-2]"], count: 2}
resources.yaml     - {nodes: ["n[3-4]"], count: 2}
end
at 0s submit -N1 -L power:1 -t 100s --runs 20s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1
> at 0s launch job 1 on n1
at 1s submit -N2 -L power:1 -t 100s --runs 20s : -N1
> job 2, with components up to 3
> at 1s launch job 2 on n2
at 2s show licenses
> power(n[1-2]) 2 of 2
> power(n[1-4]) 3 of 3
> power(n[3-4]) 1 of 2
>  job 1 has power(n[1-4]):1,power(n[1-2]):1
>  job 2 has power(n[1-4]):2,power(n[1-2]):1,power(n[3-4]):1
at 3s submit -N2 -L power:1 -t 100s --runs 20s : -N1
> job 4, with components up to 5
at 4s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:03 2 n[2-3]
>  3 p      R   0:03 1 n4
>  4 p      PD  0:00 2 (Licenses)
>  5 p      PD  0:00 1 (Licenses)
at 30s show licenses
> at 20s job 1 COMPLETED
> at 20s terminate job 1 on n1
> at 21s job 2 COMPLETED
> at 21s terminate job 2 on n2
> at 21s job 3 COMPLETED
> at 21.001s launch job 4 on n1
> power(n[1-2]) 2 of 2
> power(n[1-4]) 2 of 3
> power(n[3-4]) 0 of 2
>  job 4 has power(n[1-4]):2,power(n[1-2]):2
at 100s show jobs
> at 41.001s job 4 COMPLETED
> at 41.001s terminate job 4 on n1
> at 41.001s job 5 COMPLETED
Only the leader asks for some, also by scontrol update: two components that each had the last of a layer could never start together.
at 110s submit -N1 -t 100s --hold --runs 20s : -N1
> job 6, with components up to 7
at 111s update JobId=7 Licenses=power:2
> refused: Invalid license specification (1: license request allowed only on leader job)
at 111s update JobId=6 Licenses=power:2
at 111s update JobId=7 Licenses=
at 112s release 6
> at 112s launch job 6 on n1
at 113s show licenses
> power(n[1-2]) 2 of 2
> power(n[1-4]) 2 of 3
> power(n[3-4]) 0 of 2
>  job 6 has power(n[1-4]):2,power(n[1-2]):2
at 113s submit -N1 : -N1 -L power:1
> refused: Invalid license specification (1: license request allowed only on leader job)
