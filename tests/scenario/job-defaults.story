Jobs that wait and have asked for no time, or no memory, go by what their partitions say of it; those that wait for several, by each of them: job 2 is not too long for the short one.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=100
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=main Nodes=n[1-2] Default=YES
PartitionName=down Nodes=n[1-2] State=DOWN DefMemPerNode=900
PartitionName=short Nodes=n[1-2] MaxTime=5 DefaultTime=3
PartitionName=hour Nodes=n[1-2] MaxTime=60
end
at 0s submit -N2 --exclusive --all-memory -t 10m --runs 100s
> at 0s n1 registers
> at 0s n2 registers
> job 1
> at 0s launch job 1 on n1
at 1s submit -n1 -w n1 -p down,short --runs 60s
> job 2
at 1s submit -n1 -w n1 -p down,hour --runs 60s
> job 3
at 1s submit -n1 -w n1 --mem 700 --runs 20s
> job 4
at 2s show plan
> 2 at 600s on n1 until 780s in short
> 3 at 600s on n1 until 4200s in hour
> 4 at 600s on n1 until 31536600s
at 2s show jobs
>  1 main   R   0:02 2 n[1-2]
>  2 down   PD  0:00 1 (Resources)
>  3 down   PD  0:00 1 (Resources)
>  4 main   PD  0:00 1 (Resources)
at 101s show jobs
> at 100s job 1 COMPLETED
> at 100s terminate job 1 on n1
> at 100.001s launch job 2 on n1
> at 100.001s launch job 3 on n1
> at 100.001s launch job 4 on n1
>  2 short  R   0:00 1 n1
>  3 hour   R   0:00 1 n1
>  4 main   R   0:00 1 n1
at 200s show jobs
> at 120.001s job 4 COMPLETED
> at 120.001s terminate job 4 on n1
> at 160.001s job 2 COMPLETED
> at 160.001s terminate job 2 on n1
> at 160.001s job 3 COMPLETED
> at 160.001s terminate job 3 on n1
Memory by default: of 100 MB each three would fit, of 400 two do.
at 200s submit -N1 -w n1 --exclusive --all-memory -t 10m --runs 100s
> job 5
> at 200s launch job 5 on n1
at 201s submit -n1 -w n1 --runs 50s
> job 6
at 201s submit -n1 -w n1 --runs 50s
> job 7
at 201s submit -n1 -w n1 --runs 50s
> job 8
at 201s submit -n1 -w n1 --mem 400 --runs 50s
> job 9
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=400
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=main Nodes=n[1-2] Default=YES
PartitionName=big Nodes=n[1-2] DefMemPerNode=500
end
at 301s show jobs
> at 300s job 5 COMPLETED
> at 300s terminate job 5 on n1
> at 300.001s launch job 6 on n1
> at 300.001s launch job 7 on n1
>  6 main   R   0:00 1 n1
>  7 main   R   0:00 1 n1
>  8 main   PD  0:00 1 (Resources)
>  9 main   PD  0:00 1 (Resources)
at 302s update owner JobId=8 Partition=big
at 303s update owner JobId=8 JobName=other
at 310s show plan
> 8 at 31536300.001s on n1 until 63072300.001s
> 9 at 31536300.001s on n1 until 63072300.001s
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=2000
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=main Nodes=n[1-2] Default=YES
PartitionName=big Nodes=n[1-2] DefMemPerNode=500
end
A running job keeps what it has; more than there is can never be had.
at 320s submit -n1 -w n1 --mem 300
> job 10
at 321s requeue 6
> at 321s job 6 is requeued
> at 321s terminate job 6 on n1
at 330s show jobs
> at 321.001s launch job 8 on n1
>  6 main   PD  0:00 1 (BadConstraints)
>  7 main   R   0:29 1 n1
>  8 big    R   0:08 1 n1
>  9 main   PD  0:00 1 (Resources)
> 10 main   PD  0:00 1 (Resources)
