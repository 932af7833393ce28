A component that is over may run again with the others: its node and its partition stay as long as one of them is not over.
conf
SelectType=select/linear
MaxNodeCount=4
ReturnToService=2
SlurmdTimeout=20
MinJobAge=1000
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=ALL Default=YES
PartitionName=gone Nodes=ALL
end
at 0s join NodeName=d1 CPUs=4 RealMemory=1000
> at 0s n1 registers
> at 0s n2 registers
at 30s submit -N1 -w n1 --requeue --runs 100s : -N1 -w n2 : -N1 -p gone
> at 20s d1 registers
> job 1, with components up to 3
> at 30s launch job 1 on n1
at 35s cancel 3
> at 35s job 3 CANCELLED
at 40s show jobs
>  1 main   R   0:10 1 n1
>  2 main   R   0:10 1 n2
at 40s delete d1
> refused: node d1 has job 3 and cannot be taken out
conf
SelectType=select/linear
MaxNodeCount=4
ReturnToService=2
SlurmdTimeout=20
MinJobAge=1000
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=ALL Default=YES
end
> refused: partition gone has job 3 and cannot be taken out
Component 3 runs again with the others.
at 50s cut n2
> at 50s n2 is lost
at 75s mend n2
> at 70s job 2 is requeued
> at 70s job 1 is requeued
> at 70s terminate job 1 on n1
> at 75s n2 registers
> at 75s launch job 1 on n1
at 90s show jobs
>  1 main   R   0:15 1 n1
>  2 main   R   0:15 1 n2
>  3 gone   R   0:15 1 d1
at 300s show jobs
> at 175s job 1 COMPLETED
> at 175s terminate job 1 on n1
> at 175s job 2 COMPLETED
> at 175s job 3 COMPLETED
Now that all are over they are forgotten together.
at 300s delete d1
at 301s show jobs
at 301s show job 1
> no job 1
