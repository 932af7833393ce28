An agent that does not answer when a job is to end: after KillWait, UnkillableStepTimeout and 10s for the way (here 100s) it is
asked once more, after as long again its node is drained, and it is waited for no longer.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdTimeout=0
KillWait=30
UnkillableStepTimeout=60
NodeName=n[1-3] CPUs=2 RealMemory=1000
PartitionName=low Default=YES Nodes=ALL
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -N2 -c2 --mem 100 -w n[1-2]
> job 1
> at 1s launch job 1 on n1
at 2s step 1
at 3s fault never-answers n2
at 10s cancel 1
> at 10s job 1 CANCELLED
> at 10s terminate job 1 on n1
> at 10s terminate job 1 on n2
at 11s show jobs
>  1 low    CG  0:09 2 n[1-2]
at 100s show jobs
>  1 low    CG  0:09 2 n[1-2]
at 111s show jobs
> at 110s terminate job 1 on n2
>  1 low    CG  0:09 2 n[1-2]
at 211s show jobs
at 211s show nodes
> n[1,3] idle
> n2 drain
Its node is given back by hand before it answers again; what it has is ended first when it registers.
at 220s repair n2
at 221s restart n2
at 230s admin n2 RESUME
> at 222s terminate job 1 on n2 at once
at 231s submit -N1 -w n2 -c2 --mem 100 --runs 5s
> job 2
> at 231s launch job 2 on n2
at 300s show nodes
> at 236s job 2 COMPLETED
> at 236s terminate job 2 on n2
> n[1-3] idle
