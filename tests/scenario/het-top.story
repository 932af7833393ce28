scontrol top of a heterogeneous job: it has the place of its first component, which takes the others along; as it waits in one place, it pays but once.
conf
PriorityType=priority/multifactor
PriorityWeightPartition=1000
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES
PartitionName=other Nodes=n[1-4]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N4 -t 1h
> job 1
> at 1s launch job 1 on n1
at 2s submit -N2
> job 2
at 2s submit -N1 --nice 100 : -N1 --nice 150 : -N1 --nice 100 -p main,other : -N1 -p other --nice 50
> job 3, with components up to 6
at 2s submit -N4 --nice 200
> job 7
at 3s show priorities
>  2 1000: 0.0000 0.5000 1.0000 0.5000 0.5000 0.5000
>  3 900: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  7 800: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 950: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  5 900: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  5 900: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  4 850: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
Of its second component the priority stays as set by hand.
at 3s update JobId=4 Priority=500
at 4s top 3
at 5s show priorities
>  3 1000: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  2 950: 0.0000 0.5000 1.0000 0.5000 0.5000 0.5000
>  7 750: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 1050: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  5 1000: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  5 1000: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  4 500: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
at 5s top 7
at 6s show priorities
>  7 1000: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  3 875: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  2 825: 0.0000 0.5000 1.0000 0.5000 0.5000 0.5000
>  6 925: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  5 875: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  5 875: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  4 500: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
at 6s top 2 3
at 6s show priorities
>  2 1000: 0.0000 0.5000 1.0000 0.5000 0.5000 0.5000
>  3 875: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  7 825: 0.0000 1.0000 1.0000 1.0000 1.0000 1.0000
>  6 925: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  5 875: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  5 875: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
>  4 500: 0.0000 0.2500 1.0000 0.2500 0.2500 0.2500
