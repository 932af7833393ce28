Agents that come and go: what is, is compared with what should be.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
ReturnToService=1
SlurmdTimeout=100
NodeName=n[1-3] CPUs=2 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
Lost: at once NOT_RESPONDING; back before SlurmdTimeout: the job goes on, and what ended meanwhile is told.
at 1s submit -w n1 -c2 --mem 10 --runs 60s
> job 1
> at 1s launch job 1 on n1
at 10s cut n1
at 10s show node n1
> n1 ALLOCATED+NOT_RESPONDING (alloc*, allocated*)
at 11s submit -w n1 -c2 --mem 10 --runs 10s
> job 2
at 12s show jobs
>  1 low    R   0:11 1 n1
>  2 low    PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
at 90s show jobs
>  1 low    R   1:29 1 n1
>  2 low    PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
at 95s mend n1
> at 95s job 1 COMPLETED
> at 95s terminate job 1 on n1
at 96s show jobs
> at 95.001s launch job 2 on n1
>  2 low    R   0:00 1 n1
Lost for longer: DOWN, the job is requeued and starts elsewhere; the old processes are ended when the node is back,
and nothing starts beside them.
at 200s submit -N1 -c2 --mem 10 --runs 500s
> at 105.001s job 2 COMPLETED
> at 105.001s terminate job 2 on n1
> job 3
> at 200s launch job 3 on n1
at 201s show jobs
>  3 low    R   0:01 1 n1
at 210s cut n1
at 311s show node n1
> at 310s job 3 is requeued
> at 310s launch job 3 on n2
> n1 DOWN+NOT_RESPONDING (down*, down*) Reason=Not responding
at 312s show jobs
>  3 low    R   0:02 1 n2
at 320s mend n1
> at 320s terminate job 3 on n1 at once
at 321s show node n1
> n1 IDLE (idle, idle)
at 322s cancel 3
> at 322s job 3 CANCELLED
> at 322s terminate job 3 on n2
Restarted while a job is stopped: found frozen, stays frozen.
at 400s submit -w n1 -c2 --mem 10 --runs 100s
> job 4
> at 400s launch job 4 on n1
at 401s submit -p high -w n1 -c2 --mem 10 --runs 50s
> job 5
> at 401s freeze job 4 on n1
at 402s restart n1
> at 401.001s launch job 5 on n1
at 404s show jobs
>  4 low    S   0:01 1 n1
>  5 high   R   0:02 1 n1
at 452s show jobs
> at 451.001s job 5 COMPLETED
> at 451.001s terminate job 5 on n1
> at 451.002s thaw job 4 on n1
>  4 low    R   0:01 1 n1
at 460s cancel 4
> at 460s job 4 CANCELLED
> at 460s terminate job 4 on n1
By hand: an agent that lost the job, has it frozen when it should run, has one that is not known.
at 500s agents off
at 501s submit -w n2 -c2 --mem 10
> job 6
> at 501s launch job 6 on n2
at 502s launched 6
at 503s register n2 6f
> at 503s thaw job 6 on n2
at 504s frozen 6 n2 no
at 505s register n2 6 77.3
> at 505s terminate job 77 on n2 at once
at 506s show node n2
> n2 ALLOCATED (alloc, allocated)
at 507s submit -w n2 -n1 --hold
> job 7
at 508s cancel 6
> at 508s job 6 CANCELLED
> at 508s terminate job 6 on n2
at 509s gone 6 n2
at 510s release 7
at 511s show jobs
>  7 low    CF  0:00 1 n2
at 512s gone 77.3 n2
> at 512s launch job 7 on n2
at 513s show jobs
>  7 low    R   0:01 1 n2
at 514s launched 7
at 515s register n2
> at 515s job 7 is requeued
> at 515s launch job 7 on n2
at 516s show job 7
> job 7 RUNNING Reason=None Priority=4294901753 Restarts=1 RunTime=00:00:01 Nodes=n2 CPUs=1 Exit=0:0
The launch never arrived: it is sent again.
at 517s register n2
> at 517s launch job 7 on n2
at 518s register n2 7.1
at 519s ended 7 0
> at 519s job 7 COMPLETED
> at 519s terminate job 7 on n2
at 520s gone 7.1 n2
at 521s show jobs
