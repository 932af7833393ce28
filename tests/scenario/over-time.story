OverTimeLimit: jobs run so many minutes beyond their limits, in a partition as it says; EndTime, plans and warnings go by the limit.
conf
OverTimeLimit=2
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=ALL Default=YES
PartitionName=strict Nodes=ALL OverTimeLimit=0
PartitionName=lax Nodes=ALL OverTimeLimit=5
PartitionName=free Nodes=ALL OverTimeLimit=UNLIMITED
end
at 1s submit -N1 -w n1 -t 1m
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1
> at 1s launch job 1 on n1
at 1s submit -N1 -w n2 -t 1m -p strict
> job 2
> at 1s launch job 2 on n2
at 1s submit -N1 -w n3 -t 1m -p lax
> job 3
> at 1s launch job 3 on n3
at 1s submit -N1 -w n4 -t 1m -p free
> job 4
> at 1s launch job 4 on n4
at 2s submit -N1 -w n1 -t 1m --runs 90s
> job 5
at 1000s show nodes
> at 61s job 2 TIMEOUT
> at 61s terminate job 2 on n2
> at 181s job 1 TIMEOUT
> at 181s terminate job 1 on n1
> at 181.001s launch job 5 on n1
> at 271.001s job 5 COMPLETED
> at 271.001s terminate job 5 on n1
> at 361s job 3 TIMEOUT
> at 361s terminate job 3 on n3
> n[1-3] idle
> n4 alloc
