sbatch --test-only stands where the job's priority puts it, not behind all that is planned; and no plan moves for it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/multifactor
PriorityWeightPartition=1000
NodeName=n[1-3] CPUs=4
PartitionName=p Nodes=ALL Default=YES PriorityJobFactor=50
PartitionName=urgent Nodes=ALL PriorityJobFactor=100
PartitionName=slow Nodes=ALL PriorityJobFactor=1
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -N3 --exclusive -t 600s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N3 --exclusive -t 3600s
> job 2
at 1s submit -N3 --exclusive -t 7200s --nice 100
> job 3
at 4s show plan
> 2 at 601s on n[1-3] until 4201s
> 3 at 4201s on n[1-3] until 11401s
It is as the last one of equal priority.
at 5s estimate -N1 -t 300s
> in 01:09:56 on n1, 1 CPUs
One without a chance to be before others is behind all.
at 5s estimate -N1 -t 300s --nice 400
> in 03:09:56 on n1, 1 CPUs
at 5s estimate -N1 -t 300s -p slow
> in 03:09:56 on n1, 1 CPUs
at 5s estimate -N1 -t 300s --hold
> in 03:09:56 on n1, 1 CPUs
One that comes first has its nodes when they are free.
at 5s estimate -N1 -t 300s --priority 501
> in 00:09:56 on n1, 1 CPUs
at 5s estimate -N1 -t 300s --priority 5000
> in 00:09:56 on n1, 1 CPUs
at 5s estimate -N1 -t 300s -p urgent
> in 00:09:56 on n1, 1 CPUs
at 5s estimate -N1 -t 300s -p slow,urgent
> in 00:09:56 on n1, 1 CPUs
at 5s estimate -N3 --exclusive -t 300s -p urgent
> in 00:09:56 on n[1-3], 12 CPUs
at 5s estimate -N1 -p urgent : -N1 -p urgent
> in 00:09:56 on n[1-2], 2 CPUs
at 5s estimate -N1 -p slow : -N1 -p slow
> in 03:09:56 on n[1-2], 2 CPUs
at 6s show plan
> 2 at 601s on n[1-3] until 4201s
> 3 at 4201s on n[1-3] until 11401s
It starts where the answer said.
at 6s submit -N1 -t 300s -p urgent
> job 4
at 7s show plan
> 4 at 601s on n1 until 901s
> 2 at 901s on n[1-3] until 4501s
> 3 at 4501s on n[1-3] until 11701s
at 1800s show jobs
> at 601s job 1 TIMEOUT
> at 601s terminate job 1 on n1
> at 601s launch job 4 on n2
> at 901s job 4 TIMEOUT
> at 901s terminate job 4 on n2
> at 901.001s launch job 2 on n1
>  2 p      R  14:58 3 n[1-3]
>  3 p      PD  0:00 3 (Resources)
