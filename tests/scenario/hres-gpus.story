MODE_3 beside --gpus: each node that a job gets counts in the layers around it, and a layer without end limits nothing.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[1-4] CPUs=8 Gres=gpu:4
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 40}
resources.yaml     - {nodes: ["n[1-2]"], count: 10}
resources.yaml     - {nodes: ["n[3-4]"], count: -1}
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit --gpus 8 -N2 -L power:10 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit --gpus 6 -L power:10 --runs 100s
> job 2
at 2s show jobs
>  1 main   R   0:01 2 n[1,3]
>  2 main   PD  0:00 1 (Licenses)
at 2s show licenses
> power(n[1-2]) 10 of 10
> power(n[1-4]) 20 of 40
> power(n[3-4]) 10 of 4294967295
>  job 1 has power(n[1-4]):20,power(n[1-2]):10,power(n[3-4]):10
at 2s submit --gpus 2 -L power:10 --runs 100s
> job 3
> at 2s launch job 3 on n4
at 2s submit --gpus 16 -L power:1 --runs 100s
> job 4
at 2s submit --gpus 16 -L power:10 --runs 100s
> refused: Requested node configuration is not available
at 3s show jobs
>  1 main   R   0:02 2 n[1,3]
>  2 main   PD  0:00 1 (Licenses)
>  3 main   R   0:01 1 n4
>  4 main   PD  0:00 1 (Licenses)
at 3s show licenses
> power(n[1-2]) 10 of 10
> power(n[1-4]) 30 of 40
> power(n[3-4]) 20 of 4294967295
>  job 1 has power(n[1-4]):20,power(n[1-2]):10,power(n[3-4]):10
>  job 3 has power(n[1-4]):10,power(n[3-4]):10
at 3s submit -w n1,n3,n4 -n3 -L power:5 --runs 10s
> job 5
at 300s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101.001s launch job 2 on n1
> at 102s job 3 COMPLETED
> at 102s terminate job 3 on n4
> at 201.001s job 2 COMPLETED
> at 201.001s terminate job 2 on n1
> at 201.002s launch job 4 on n1
> at 201.002s launch job 5 on n1
> at 211.002s job 5 COMPLETED
> at 211.002s terminate job 5 on n1
>  4 main   R   1:38 4 n[1-4]
