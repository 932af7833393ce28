Generic resources in the plan, by type and for all nodes together; and layers of a hierarchical resource on shared nodes.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[1-2] CPUs=8 Gres=gpu:a:2,gpu:b:2
PartitionName=p Nodes=n[1-2] Default=YES
resources.yaml - resource: natural
resources.yaml   mode: MODE_1
resources.yaml   layers:
resources.yaml     - {nodes: [n1], count: 4}
resources.yaml     - {nodes: [n2], count: 4}
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -w n1 -n1 --gres gpu:a:1 -t 7d --runs 100000s
> job 1
> at 1s launch job 1 on n1
at 1s submit -w n1 -n1 --gres gpu:a:1 -t 60s --runs 60s
> job 2
> at 1s launch job 2 on n1
at 1s submit -w n2 -n1 --gres gpu:a:2 -t 900s --runs 900s
> job 3
> at 1s launch job 3 on n2
Two of any type wait for none; one of type a waits for 2, also beside b.
at 2s submit -n1 --gres gpu:a:1 -t 300s --runs 30s
> job 4
at 2s submit -n1 --gres gpu:a:1,gpu:b:2 -t 300s --runs 30s
> job 5
at 2s submit -w n1 -n1 --gres gpu:b:2 -t 100s --runs 30s
> job 6
> at 2s launch job 6 on n1
at 2s submit -N2 --gpus 4 -t 100s --runs 30s
> job 7
at 3s show plan
> 4 at 61s on n1 until 361s
> 5 at 361s on n1 until 661s
> 7 at 102s on n[1-2] until 202s
at 3s show jobs
>  1 p      R   0:02 1 n1
>  2 p      R   0:02 1 n1
>  3 p      R   0:02 1 n2
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 1 (Priority)
>  6 p      R   0:01 1 n1
>  7 p      PD  0:00 2 (Priority)
at 2000s show jobs
> at 32s job 6 COMPLETED
> at 32s terminate job 6 on n1
> at 32.001s launch job 7 on n1
> at 61s job 2 COMPLETED
> at 61s terminate job 2 on n1
> at 61.001s launch job 4 on n1
> at 62.001s job 7 COMPLETED
> at 62.001s terminate job 7 on n1
> at 91.001s job 4 COMPLETED
> at 91.001s terminate job 4 on n1
> at 91.002s launch job 5 on n1
> at 121.002s job 5 COMPLETED
> at 121.002s terminate job 5 on n1
> at 901s job 3 COMPLETED
> at 901s terminate job 3 on n2
>  1 p      R  33:19 1 n1
Layers: 3 of 4 are held on n1 for ever, 3 on n2 for a minute.
at 2001s submit -w n1 -n1 -L natural:3 -t 7d --runs 100000s
> job 8
> at 2001s launch job 8 on n1
at 2001s submit -w n2 -n1 -L natural:3 -t 60s --runs 60s
> job 9
> at 2001s launch job 9 on n2
at 2002s submit -n1 -L natural:2 -t 300s --runs 30s
> job 10
at 2002s submit -w n2 -n1 -L natural:1 -t 300s --runs 30s
> job 11
> at 2002s launch job 11 on n2
at 2002s submit -w n2 -n1 -L natural:1 -t 300s --runs 30s
> job 12
at 2002s submit -w n2 -n1 -L natural:1 -t 300s --runs 30s
> job 13
at 2003s show plan
> 10 at 2061s on n2 until 2361s
> 12 at 2061s on n2 until 2361s
> 13 at 2302s on n2 until 2602s
at 2003s show jobs
>  1 p      R  33:22 1 n1
>  8 p      R   0:02 1 n1
>  9 p      R   0:02 1 n2
> 10 p      PD  0:00 1 (Licenses)
> 11 p      R   0:01 1 n2
> 12 p      PD  0:00 1 (Licenses)
> 13 p      PD  0:00 1 (Licenses)
at 3000s show jobs
> at 2032s job 11 COMPLETED
> at 2032s terminate job 11 on n2
> at 2032.001s launch job 12 on n2
> at 2061s job 9 COMPLETED
> at 2061s terminate job 9 on n2
> at 2061.001s launch job 10 on n2
> at 2061.001s launch job 13 on n2
> at 2062.001s job 12 COMPLETED
> at 2062.001s terminate job 12 on n2
> at 2091.001s job 10 COMPLETED
> at 2091.001s terminate job 10 on n2
> at 2091.001s job 13 COMPLETED
> at 2091.001s terminate job 13 on n2
>  1 p      R  49:59 1 n1
>  8 p      R  16:39 1 n1
