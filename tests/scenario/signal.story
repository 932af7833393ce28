A signal before the time is up (--signal), and all memory of a node (--mem=0).
conf
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=10
NodeName=n[1-2] CPUs=2 RealMemory=1000
PartitionName=p Nodes=ALL Default=YES MaxTime=10
MinJobAge=100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -c2 -t 60s --signal 10@20s
> job 1
> at 1s launch job 1 on n1
at 42s submit -t 10s --signal 12@60s
> at 41s signal job 1 on n1
> job 2
> at 42s launch job 2 on n2
at 60s submit -n1 --all-memory --runs 5s
> at 42.001s signal job 2 on n2
> at 52s job 2 TIMEOUT
> at 52s terminate job 2 on n2
> job 3
> at 60s launch job 3 on n2
at 61s submit -n1 -w n2 --runs 1s
> at 61s job 1 TIMEOUT
> at 61s terminate job 1 on n1
> job 4
at 62s show jobs
>  3 p      R   0:02 1 n2
>  4 p      PD  0:00 1 (Resources)
at 70s show jobs
> at 65s job 3 COMPLETED
> at 65s terminate job 3 on n2
> at 65.001s launch job 4 on n2
> at 66.001s job 4 COMPLETED
> at 66.001s terminate job 4 on n2
