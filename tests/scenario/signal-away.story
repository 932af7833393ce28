A signal for a job on a node with a disconnected agent: it gets that when the agent is back, once; not when the job is over.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=0
NodeName=n[1-2] CPUs=2
PartitionName=main Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N2 -n4 --runs 100m
> job 1
> at 1s launch job 1 on n1
at 2s step 1
at 10s cut n2
at 11s term 1
> at 11s signal job 1 on n1
at 12s term 1
> at 12s signal job 1 on n1
at 20s mend n2
> at 20s signal job 1 on n2
at 100s show jobs
>  1 main   R   1:39 2 n[1-2]
at 110s cut n2
at 110s mend n2
at 200s cut n2
at 201s term 1
> at 201s signal job 1 on n1
at 202s cancel 1
> at 202s job 1 CANCELLED
> at 202s terminate job 1 on n1
at 210s mend n2
> at 210s terminate job 1 on n2
at 300s show jobs
