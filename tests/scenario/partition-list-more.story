Several partitions with preemption, priorities of their own, and nodes that sleep.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
PriorityType=priority/multifactor
PriorityWeightPartition=1000
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=50
SuspendRate=0
ResumeRate=0
ResumeTimeout=60
SuspendExcNodes=n[1-2]
NodeName=n[1-2] CPUs=2 RealMemory=1000
NodeName=c[1-2] CPUs=2 RealMemory=1000 State=CLOUD
PartitionName=DEFAULT OverSubscribe=FORCE:1 MaxTime=100
PartitionName=lo Nodes=n[1-2] PriorityTier=1 PriorityJobFactor=10 Default=YES
PartitionName=hi Nodes=n[1-2] PriorityTier=10 PriorityJobFactor=100
PartitionName=cloud Nodes=c[1-2] PriorityTier=5 PriorityJobFactor=50
PartitionName=same Nodes=c[1-2] PriorityTier=10 PriorityJobFactor=70
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
It stops others in hi before it would start, or wake nodes, in a lower one.
at 1s submit -p lo -N2 --exclusive --mem 100 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -p cloud,hi -N1 --exclusive --mem 100 --runs 30s
> job 2
> at 2s freeze job 1 on n1
at 3s show jobs
> at 2.001s launch job 2 on n1
>  1 lo     S   0:01 2 n[1-2]
>  2 hi     R   0:00 1 n1
In the order of the tiers, whether its nodes sleep there or not.
at 40s submit -p lo,cloud -N1 --exclusive --mem 100 --runs 10s
> at 32.001s job 2 COMPLETED
> at 32.001s terminate job 2 on n1
> at 32.002s thaw job 1 on n1
> job 3
> at 40s resume c1 (job 3: c1)
at 41s show jobs
>  1 lo     R   0:09 2 n[1-2]
>  3 cloud  CF  0:00 1 c1
at 200s show jobs
> at 60s launch job 3 on c1
> at 70s job 3 COMPLETED
> at 70s terminate job 3 on c1
> at 120.001s suspend c1
> at 131.002s job 1 COMPLETED
> at 131.002s terminate job 1 on n1
at 201s submit -p lo,cloud -N1 --exclusive --mem 100 --runs 10s
> job 4
> at 201s resume c1 (job 4: c1)
at 202s show jobs
>  4 cloud  CF  0:00 1 c1
Of one tier the larger priority comes first.
at 300s submit -p hi -N2 --exclusive --mem 100 --runs 100s
> at 221s launch job 4 on c1
> at 231s job 4 COMPLETED
> at 231s terminate job 4 on c1
> at 281.001s suspend c1
> job 5
> at 300s launch job 5 on n1
at 301s submit -p same,hi -N1 --hold --exclusive --mem 100 --runs 10s
> job 6
at 302s show priorities
>  6 0: 0.0000 0.1875 0.7000 0.2500 0.0500 0.5000
>  6 0: 0.0000 0.1875 1.0000 0.2500 0.0500 0.5000
at 303s release 6
> at 303s resume c2 (job 6: c2)
at 303s show priorities
at 304s show jobs
>  5 hi     R   0:04 2 n[1-2]
>  6 same   CF  0:00 1 c2
at 450s show jobs
> at 323s launch job 6 on c2
> at 333s job 6 COMPLETED
> at 333s terminate job 6 on c2
> at 383.001s suspend c2
> at 400s job 5 COMPLETED
> at 400s terminate job 5 on n1
