PrologFlags=Contain: extern steps are up before a script, on all nodes before salloc's command; one that a node has lost is made again.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=100
ReturnToService=1
KillWait=1
PrologFlags=Contain
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s delay prolog 5s
at 2s submit -N2 --runs 60s
> job 1
> at 2s prolog n[1-2]
at 4s show jobs
>  1 p      CF  0:00 2 n[1-2]
at 8s show jobs
> at 7s launch job 1 on n1
>  1 p      R   0:01 2 n[1-2]
A node that registers without it is asked for it, also while the job runs, and after a restart of the controller.
at 11s restart n2
at 30s kill
> at 12s prolog n2
at 70s show jobs
> at 30.5s prolog n1
> at 30.597s prolog n2
> at 67s job 1 COMPLETED
> at 67s terminate job 1 on n1
> at 67s terminate job 1 on n2
