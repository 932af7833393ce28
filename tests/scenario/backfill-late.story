A node is free some moments after its job's limit, so that the job that was to start there is a little later than it was said to, and all behind it
with it.  No job loses its place to one behind it by that: job 5 starts before job 6.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_window=43200
NodeName=n[1-12] CPUs=4
PartitionName=p Nodes=ALL Default=YES
PartitionName=hi Nodes=ALL PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
> at 0s n9 registers
> at 0s n10 registers
> at 0s n11 registers
> at 0s n12 registers
at 0s submit -N2 --exclusive -t 9m --runs 540s
> job 1
> at 0s launch job 1 on n1
at 19s submit -N11 --exclusive -t 11m --runs 545s
> job 2
at 206s submit -N6 --exclusive -t 15m --runs 600s
> job 3
at 304s submit -N1 --exclusive -t 12m --runs 720s
> job 4
> at 304s launch job 4 on n12
at 337s submit -N3 --exclusive -t 8m --runs 480s
> job 5
at 398s submit -N4 --exclusive -t 9m --runs 540s
> job 6
at 399s show plan
> 2 at 540s on n[1-11] until 1200s
> 3 at 1200s on n[1-6] until 2100s
> 5 at 1200s on n[7-9] until 1680s
> 6 at 1680s on n[7-10] until 2220s
at 600s show plan
> at 540s job 1 COMPLETED
> at 540s terminate job 1 on n1
> at 540.001s launch job 2 on n1
> 3 at 1200.001s on n[1-6] until 2100.001s
> 5 at 1200.001s on n[7-9] until 1680.001s
> 6 at 1680.001s on n[7-10] until 2220.001s
at 1100s show jobs
> at 1024s job 4 COMPLETED
> at 1024s terminate job 4 on n12
> at 1085.001s job 2 COMPLETED
> at 1085.001s terminate job 2 on n1
> at 1085.001s launch job 3 on n2
> at 1085.001s launch job 5 on n7
>  3 p      R   0:14 6 n[2-6,11]
>  5 p      R   0:14 3 n[7-9]
>  6 p      PD  0:00 4 (Resources)
at 3000s show jobs
> at 1565.001s job 5 COMPLETED
> at 1565.001s terminate job 5 on n7
> at 1565.001s launch job 6 on n1
> at 1685.001s job 3 COMPLETED
> at 1685.001s terminate job 3 on n2
> at 2105.001s job 6 COMPLETED
> at 2105.001s terminate job 6 on n1
One of a higher tier comes between: job 9 wants all nodes, is before jobs 11 and 13, and stays so when job 14 starts a little late.
at 3000s submit -N12 --exclusive -t 1m --runs 60s
> job 7
> at 3000s launch job 7 on n1
at 3000s submit -N6 --exclusive -t 2m --runs 120s
> job 8
at 3000s submit -N12 --exclusive -t 1m --runs 60s
> job 9
at 3000s submit -N3 --exclusive -t 1m --runs 60s
> job 10
at 3000s submit -N6 --exclusive -t 2m --runs 120s
> job 11
at 3000s submit -N3 --exclusive -t 1m --runs 60s
> job 12
at 3000s submit -N3 --exclusive -t 5m --runs 300s
> job 13
at 3063s submit -p hi -N3 --exclusive -t 1m --runs 60s
> at 3060s job 7 COMPLETED
> at 3060s terminate job 7 on n1
> at 3060s launch job 8 on n2
> at 3060s launch job 10 on n8
> at 3060.001s launch job 12 on n1
> job 14
at 3064s show plan
> 14 at 3120s on n[8-10] until 3180s
> 9 at 3180s on n[1-12] until 3240s
> 11 at 3240s on n[1-6] until 3360s
> 13 at 3240s on n[7-9] until 3540s
at 3130s show plan
> at 3120s job 10 COMPLETED
> at 3120s terminate job 10 on n8
> at 3120.001s job 12 COMPLETED
> at 3120.001s terminate job 12 on n1
> at 3120.001s launch job 14 on n9
> 9 at 3180.001s on n[1-12] until 3240.001s
> 11 at 3240.001s on n[1-6] until 3360.001s
> 13 at 3240.001s on n[7-9] until 3540.001s
at 4000s show jobs
> at 3180s job 8 COMPLETED
> at 3180s terminate job 8 on n2
> at 3180.001s job 14 COMPLETED
> at 3180.001s terminate job 14 on n9
> at 3180.002s launch job 9 on n1
> at 3240.002s job 9 COMPLETED
> at 3240.002s terminate job 9 on n1
> at 3240.002s launch job 11 on n2
> at 3240.002s launch job 13 on n7
> at 3360.002s job 11 COMPLETED
> at 3360.002s terminate job 11 on n2
> at 3540.002s job 13 COMPLETED
> at 3540.002s terminate job 13 on n7
