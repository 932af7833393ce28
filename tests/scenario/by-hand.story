scontrol suspend and resume: a job stopped by hand gives its place to all, and has it back when no job uses it (S16).
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n1 CPUs=2 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -c2 --mem 100 --runs 100s -t 110s
> job 1
> at 1s launch job 1 on n1
at 11s suspend 1
> at 11s freeze job 1 on n1
at 11s show nodes
> n1 idle
at 12s show job 1
> job 1 SUSPENDED Reason=None Priority=0 Restarts=0 RunTime=00:00:10 Nodes=n1 CPUs=2 Exit=0:0
at 12s suspend 1
at 13s submit -c2 --mem 100 --runs 30s
> job 2
> at 13s launch job 2 on n1
at 14s show jobs
>  1 low    S   0:10 1 n1
>  2 low    R   0:01 1 n1
at 15s resume 1
at 16s show jobs
>  1 low    S   0:10 1 n1
>  2 low    R   0:03 1 n1
at 50s show jobs
> at 43s job 2 COMPLETED
> at 43s terminate job 2 on n1
> at 43.001s thaw job 1 on n1
>  1 low    R   0:16 1 n1
at 50s resume 1
> refused: Job is not suspended
A gang-stopped job that is stopped by hand as well stays.
at 60s submit -p high -c2 --mem 100 --runs 10s
> job 3
> at 60s freeze job 1 on n1
at 61s suspend 1
> at 60.001s launch job 3 on n1
at 75s show jobs
> at 70.001s job 3 COMPLETED
> at 70.001s terminate job 3 on n1
>  1 low    S   0:26 1 n1
at 80s resume 1
> at 80s thaw job 1 on n1
at 81s show job 1
> job 1 RUNNING Reason=None Priority=4294901755 Restarts=0 RunTime=00:00:27 Nodes=n1 CPUs=2 Exit=0:0
The limit of 110 s does not run while it stands still.
at 300s show job 1
> at 153.001s job 1 COMPLETED
> at 153.001s terminate job 1 on n1
> job 1 COMPLETED Reason=None Priority=4294901755 Restarts=0 RunTime=00:01:40 Nodes=n1 CPUs=2 Exit=0:0
at 301s resume 1
> refused: Job/step already completing or completed
at 302s suspend 1
> refused: Job/step already completing or completed
at 303s submit --hold
> job 4
at 304s suspend 4
> refused: Job is pending execution
at 305s resume 4
> refused: Job is pending execution
at 306s cancel 4
> at 306s job 4 CANCELLED
at 307s cancel 4
> refused: Job/step already completing or completed
