What a heterogeneous job lacks, where its leader alone would find a node: other nodes, and it keeps its place.
conf
NodeName=n[1-5] CPUs=1
PartitionName=p Nodes=n[1-5] Default=YES MaxTime=INFINITE
PartitionName=q Nodes=n[1-2] MaxTime=INFINITE
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-5]"], count: 3}
resources.yaml     - {nodes: ["n[3-5]"], count: 1}
end
at 0s submit -N3 -w n[3-5] -t 100s --runs 20s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> job 1
> at 0s launch job 1 on n3
at 1s submit -N1 -L flat:1 -t 100s --runs 20s : -p q -N2
> job 2, with components up to 3
at 2s submit -N1 -t 500s --runs 20s
> job 4
at 3s submit -N1 -t 50s --runs 10s
> job 5
> at 3s launch job 5 on n1
at 4s show jobs
>  1 p      R   0:04 3 n[3-5]
>  2 p      PD  0:00 1 (Resources)
>  3 q      PD  0:00 2 (Resources)
>  4 p      PD  0:00 1 (Priority)
>  5 p      R   0:01 1 n1
at 21s show jobs
> at 13s job 5 COMPLETED
> at 13s terminate job 5 on n1
> at 20s job 1 COMPLETED
> at 20s terminate job 1 on n3
> at 20s launch job 2 on n4
> at 20s launch job 4 on n5
>  2 p      R   0:01 1 n4
>  3 q      R   0:01 2 n[1-2]
>  4 p      R   0:01 1 n5
Or hierarchical resources, and no other waits for it.
at 100s submit -w n3 -L flat:1 -t 100s --runs 20s
> at 40s job 2 COMPLETED
> at 40s terminate job 2 on n4
> at 40s job 3 COMPLETED
> at 40s job 4 COMPLETED
> at 40s terminate job 4 on n5
> job 6
> at 100s launch job 6 on n3
at 101s submit -N1 -L flat:1 -t 100s --runs 20s : -p q -N2
> job 7, with components up to 8
at 102s show jobs
>  6 p      R   0:02 1 n3
>  7 p      PD  0:00 1 (Licenses)
>  8 q      PD  0:00 2 (Licenses)
at 103s submit -N1 -x n[1-2] -t 500s --runs 10s
> job 9
> at 103s launch job 9 on n4
at 104s show jobs
>  6 p      R   0:04 1 n3
>  7 p      PD  0:00 1 (Licenses)
>  8 q      PD  0:00 2 (Licenses)
>  9 p      R   0:01 1 n4
at 150s show jobs
> at 113s job 9 COMPLETED
> at 113s terminate job 9 on n4
> at 120s job 6 COMPLETED
> at 120s terminate job 6 on n3
> at 120.001s launch job 7 on n3
> at 140.001s job 7 COMPLETED
> at 140.001s terminate job 7 on n3
> at 140.001s job 8 COMPLETED
