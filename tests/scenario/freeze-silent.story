An agent that does not answer a freeze: within the bound (10s for the freeze, 10s for the way) the victim goes on everywhere,
and its preemptor finds another place, or waits.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
SlurmdTimeout=0
NodeName=n[1-4] CPUs=2 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -N2 -c2 --mem 100 --runs 1000s -w n[1-2]
> job 1
> at 1s launch job 1 on n1
at 2s step 1
at 3s submit -N2 -w n[3-4] -c2 --mem 100 --runs 1000s
> job 2
> at 3s launch job 2 on n3
at 4s fault never-answers n2
at 10s submit -N1 -p high -c2 --mem 100 --runs 100s
> job 3
> at 10s freeze job 1 on n1
> at 10s freeze job 1 on n2
at 11s show jobs
>  1 low    S   0:09 2 n[1-2]
>  2 low    R   0:08 2 n[3-4]
>  3 high   CF  0:00 1 n1
Job 1 is thawed where it stood still, and job 3 has taken the place of job 2 instead.
at 31s show jobs
> at 30s thaw job 1 on n1
> at 30s thaw job 1 on n2
> at 30s freeze job 2 on n3
> at 30.001s launch job 3 on n3
>  1 low    R   0:10 2 n[1-2]
>  2 low    S   0:27 2 n[3-4]
>  3 high   R   0:00 1 n3
The thaw is asked for again, ever more rarely, until there is an answer; nothing else is asked of job 1 meanwhile.
at 60s submit -N2 -p high -c2 --mem 100 --runs 10s -w n[1-2]
> at 50s thaw job 1 on n2
> job 4
at 61s show jobs
>  1 low    R   0:40 2 n[1-2]
>  2 low    S   0:27 2 n[3-4]
>  3 high   R   0:30 1 n3
>  4 high   PD  0:00 2 (Resources)
at 71s repair n2
at 200s show jobs
> at 72s thaw job 1 on n2
> at 130.001s job 3 COMPLETED
> at 130.001s terminate job 3 on n3
> at 130.002s thaw job 2 on n3
>  1 low    R   2:59 2 n[1-2]
>  2 low    R   1:36 2 n[3-4]
>  4 high   PD  0:00 2 (Resources)
Silence is not a refusal: five minutes later it is tried again, and works.
at 400s show jobs
> at 330s freeze job 1 on n1
> at 330s freeze job 1 on n2
> at 330.001s launch job 4 on n1
> at 340.001s job 4 COMPLETED
> at 340.001s terminate job 4 on n1
> at 340.002s thaw job 1 on n1
> at 340.002s thaw job 1 on n2
>  1 low    R   6:08 2 n[1-2]
>  2 low    R   4:56 2 n[3-4]
A cut line is silence as well, also where the node is not waited for to come back (SlurmdTimeout=0).
at 400s cut n2
at 410s submit -N1 -w n1 -p high -c2 --mem 100 --runs 10s
> job 5
> at 410s freeze job 1 on n1
> at 410s freeze job 1 on n2
at 450s show jobs
> at 430s thaw job 1 on n1
> at 430s thaw job 1 on n2
>  1 low    R   6:38 2 n[1-2]
>  2 low    R   5:46 2 n[3-4]
>  5 high   PD  0:00 1 (Resources)
at 2000s show node n2
> at 730s freeze job 1 on n1
> at 730s freeze job 1 on n2
> at 750s thaw job 1 on n1
> at 750s thaw job 1 on n2
> at 1050s freeze job 1 on n1
> at 1050s freeze job 1 on n2
> at 1070s thaw job 1 on n1
> at 1070s thaw job 1 on n2
> at 1091.002s job 1 COMPLETED
> at 1091.002s terminate job 1 on n1
> at 1091.003s launch job 5 on n1
> at 1101.003s job 5 COMPLETED
> at 1101.003s terminate job 5 on n1
> at 1103.002s job 2 COMPLETED
> at 1103.002s terminate job 2 on n3
> n2 IDLE+NOT_RESPONDING (idle*, idle*)
It was not waited for to say that job 1 is over.  It comes back: what it still has of it is ended.
at 2000s mend n2
> at 2000s terminate job 1 on n2 at once
at 2001s show jobs
The holder of an allocation is told when it gives its nodes back.
at 2100s fault cannot-freeze n1
at 2101s submit -w n1 -c2 --mem 100 --runs 18s
> job 6
> at 2101s launch job 6 on n1
at 2102s submit -w n1 -p high -c2 --mem 100 --interactive
> job 7
> at 2102s freeze job 6 on n1
at 2115s show jobs
> at 2112s message: job 7 gives its nodes back and waits for resources again: a job there cannot be stopped
>  6 low    R   0:04 1 n1
>  7 high   PD  0:00 1 (Resources)
The silent agent registers anew: the job may be chosen again at once.
at 2200s submit -N2 -c2 --mem 100 --runs 100s -w n[3-4]
> at 2119s job 6 COMPLETED
> at 2119s terminate job 6 on n1
> job 8
> at 2200s launch job 8 on n3
at 2201s step 8
at 2202s fault never-answers n4
at 2202s submit -N1 -w n3 -p high -c2 --mem 100 --runs 10s
> job 9
> at 2202s freeze job 8 on n3
> at 2202s freeze job 8 on n4
at 2230s show jobs
> at 2222s thaw job 8 on n3
> at 2222s thaw job 8 on n4
>  7 high   R   1:50 1 n1
>  8 low    R   0:10 2 n[3-4]
>  9 high   PD  0:00 1 (Resources)
at 2231s repair n4
at 2232s restart n4
at 2260s show jobs
> at 2233s freeze job 8 on n3
> at 2233s freeze job 8 on n4
> at 2233.001s launch job 9 on n3
> at 2243.001s job 9 COMPLETED
> at 2243.001s terminate job 9 on n3
> at 2243.002s thaw job 8 on n3
> at 2243.002s thaw job 8 on n4
>  7 high   R   2:20 1 n1
>  8 low    R   0:29 2 n[3-4]
