SlurmdTimeout=0 means that a silent node is waited for; a command that holds an allocation and is cut off has five minutes all the same.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=0
NodeName=n1 CPUs=2 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
at 0s tell step-orphaned
at 1s submit -w n1 -c2 --interactive
> job 1
at 2s step 1
at 10s holder 1 lost
at 100s holder 1 back
at 500s show jobs
>  1 main   R   8:19 1 n1
at 600s holder 1 lost
at 899s show jobs
>  1 main   R  14:58 1 n1
at 901s show jobs
> at 900s job 1 CANCELLED
> at 900s terminate job 1 on n1
