Preemption by cancelling and requeuing: GraceTime and its signals, exempt jobs, victims.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
KillWait=30
NodeName=n[1-4] CPUs=2 RealMemory=1000
PartitionName=DEFAULT Nodes=n1
PartitionName=low PriorityTier=1 Default=YES
PartitionName=gentle PriorityTier=1 PreemptMode=CANCEL GraceTime=60 Nodes=n2
PartitionName=off PriorityTier=1 PreemptMode=OFF Nodes=n3
PartitionName=back PriorityTier=1 GraceTime=60 Nodes=n4
PartitionName=equal PriorityTier=1
PartitionName=high PriorityTier=2 Nodes=n[1-4]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
S2, S7: a job is sent back to the queue and comes back at once; one with --no-requeue is cancelled.
at 1s submit -c2 --mem 100 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 10s submit -p high -w n1 -c2 --mem 100 --runs 20s
> job 2
> at 10s job 1 is requeued
> at 10s terminate job 1 on n1
at 11s show jobs
> at 10.001s launch job 2 on n1
>  1 low    PD  0:00 1 (Resources)
>  2 high   R   0:00 1 n1
at 11s show job 1
> job 1 PENDING Reason=Resources Priority=4294901759 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 31s show jobs
> at 30.001s job 2 COMPLETED
> at 30.001s terminate job 2 on n1
> at 30.002s launch job 1 on n1
>  1 low    R   0:00 1 n1
at 32s submit -p high -w n1 -c2 --mem 100 --runs 5s
> job 3
> at 32s job 1 is requeued
> at 32s terminate job 1 on n1
at 50s show jobs
> at 32.001s launch job 3 on n1
> at 37.001s job 3 COMPLETED
> at 37.001s terminate job 3 on n1
> at 37.002s launch job 1 on n1
>  1 low    R   0:12 1 n1
at 200s show jobs
> at 137.002s job 1 COMPLETED
> at 137.002s terminate job 1 on n1
at 200s submit --no-requeue -c2 --mem 100 --runs 100s
> job 4
> at 200s launch job 4 on n1
at 210s submit -p high -w n1 -c2 --mem 100 --runs 5s
> job 5
> at 210s job 4 PREEMPTED
> at 210s terminate job 4 on n1
at 211s show job 4
> at 210.001s launch job 5 on n1
> job 4 PREEMPTED Reason=None Priority=4294901756 Restarts=0 RunTime=00:00:10 Nodes=n1 CPUs=2 Exit=0:0
at 220s show jobs
> at 215.001s job 5 COMPLETED
> at 215.001s terminate job 5 on n1
S11: no job is stopped for an equal.  S12: nor where PreemptMode is OFF.
at 300s submit -c2 --mem 100 --runs 20s
> job 6
> at 300s launch job 6 on n1
at 301s submit -p equal -c2 --mem 100 --runs 1s
> job 7
at 301s submit -p off -c2 --mem 100 --runs 20s
> job 8
> at 301s launch job 8 on n3
at 302s submit -p high -w n3 -c2 --mem 100 --runs 1s
> job 9
at 303s show jobs
>  6 low    R   0:03 1 n1
>  7 equal  PD  0:00 1 (Resources)
>  8 off    R   0:02 1 n3
>  9 high   PD  0:00 1 (Resources)
S6: GraceTime.  CONT and TERM at once, the end a minute later; the preemptor waits and stops no other.
at 400s submit -p gentle -c2 --mem 100 --runs 1000s
> at 320s job 6 COMPLETED
> at 320s terminate job 6 on n1
> at 320.001s launch job 7 on n1
> at 321s job 8 COMPLETED
> at 321s terminate job 8 on n3
> at 321.001s job 7 COMPLETED
> at 321.001s terminate job 7 on n1
> at 321.001s launch job 9 on n3
> at 322.001s job 9 COMPLETED
> at 322.001s terminate job 9 on n3
> job 10
> at 400s launch job 10 on n2
at 401s step 10
at 410s submit -p high -w n2 -c2 --mem 100 --runs 5s
> job 11
> at 410s signal job 10 on n2
> at 410s signal job 10 on n2
at 411s show jobs
> 10 gentle R   0:11 1 n2
> 11 high   PD  0:00 1 (Resources)
at 469.9s show jobs
> 10 gentle R   1:09 1 n2
> 11 high   PD  0:00 1 (Resources)
at 480s show job 10
> at 470s job 10 PREEMPTED
> at 470s terminate job 10 on n2
> at 470.001s launch job 11 on n2
> at 475.001s job 11 COMPLETED
> at 475.001s terminate job 11 on n2
> job 10 PREEMPTED Reason=None Priority=4294901750 Restarts=0 RunTime=00:01:10 Nodes=n2 CPUs=2 Exit=0:0
at 480s show jobs
S17: a job that ends within GraceTime counts as preempted, and goes back to the queue where that is the way.
at 500s submit -p gentle -c2 --mem 100 --runs 30s
> job 12
> at 500s launch job 12 on n2
at 501s submit -p back -c2 --mem 100 --runs 30s
> job 13
> at 501s launch job 13 on n4
at 510s submit -p high -w n2 -c2 --mem 100 --runs 5s
> job 14
> at 510s signal job 12 on n2
> at 510s signal job 12 on n2
at 511s submit -p high -w n4 -c2 --mem 100 --runs 5s
> job 15
> at 511s signal job 13 on n4
> at 511s signal job 13 on n4
at 550s show job 12
> at 530s job 12 PREEMPTED
> at 530s terminate job 12 on n2
> at 530.001s launch job 14 on n2
> at 531s job 13 is requeued
> at 531s terminate job 13 on n4
> at 531.001s launch job 15 on n4
> at 535.001s job 14 COMPLETED
> at 535.001s terminate job 14 on n2
> at 536.001s job 15 COMPLETED
> at 536.001s terminate job 15 on n4
> at 536.002s launch job 13 on n4
> job 12 PREEMPTED Reason=None Priority=4294901748 Restarts=0 RunTime=00:00:30 Nodes=n2 CPUs=2 Exit=0:0
at 550s show job 13
> job 13 RUNNING Reason=None Priority=4294901747 Restarts=1 RunTime=00:00:13 Nodes=n4 CPUs=2 Exit=0:0
at 550s show jobs
> 13 back   R   0:13 1 n4
at 700s show jobs
> at 566.002s job 13 COMPLETED
> at 566.002s terminate job 13 on n4
Its own limit, if that comes first, is a time-out; a person may cancel it meanwhile.
at 700s submit -p gentle -c2 --mem 100 --runs 1000s -t 30s
> job 16
> at 700s launch job 16 on n2
at 710s submit -p high -w n2 -c2 --mem 100 --runs 5s
> job 17
> at 710s signal job 16 on n2
> at 710s signal job 16 on n2
at 740s show job 16
> at 730s job 16 TIMEOUT
> at 730s terminate job 16 on n2
> at 730.001s launch job 17 on n2
> at 735.001s job 17 COMPLETED
> at 735.001s terminate job 17 on n2
> job 16 TIMEOUT Reason=TimeLimit Priority=4294901744 Restarts=0 RunTime=00:00:30 Nodes=n2 CPUs=2 Exit=0:0
at 750s submit -p gentle -c2 --mem 100 --runs 1000s
> job 18
> at 750s launch job 18 on n2
at 760s submit -p high -w n2 -c2 --mem 100 --runs 5s
> job 19
> at 760s signal job 18 on n2
> at 760s signal job 18 on n2
at 765s cancel 18
> at 765s job 18 CANCELLED
> at 765s terminate job 18 on n2
at 780s show jobs
> at 765.001s launch job 19 on n2
> at 770.001s job 19 COMPLETED
> at 770.001s terminate job 19 on n2
The preemptor goes away: its victim goes on, though it was told, and may be stopped for another.
at 800s submit -p gentle -c2 --mem 100 --runs 1000s
> job 20
> at 800s launch job 20 on n2
at 810s submit -p high -w n2 -c2 --mem 100 --runs 5s
> job 21
> at 810s signal job 20 on n2
> at 810s signal job 20 on n2
at 820s cancel 21
> at 820s job 21 CANCELLED
at 900s show job 20
> job 20 RUNNING Reason=None Priority=4294901740 Restarts=0 RunTime=00:01:40 Nodes=n2 CPUs=2 Exit=0:0
at 901s submit -p high -w n2 -c2 --mem 100 --runs 5s
> job 22
> at 901s signal job 20 on n2
> at 901s signal job 20 on n2
at 970s show jobs
> at 961s job 20 PREEMPTED
> at 961s terminate job 20 on n2
> at 961.001s launch job 22 on n2
> at 966.001s job 22 COMPLETED
> at 966.001s terminate job 22 on n2
One that ends by itself before its GraceTime is over has been preempted all the same: it may have ended for the signal.
at 1000s submit -p gentle -w n2 -c2 --mem 100 --runs 30s
> job 23
> at 1000s launch job 23 on n2
at 1010s submit -p high -w n2 -c2 --mem 100 --runs 5s
> job 24
> at 1010s signal job 23 on n2
> at 1010s signal job 23 on n2
at 1015s cancel 24
> at 1015s job 24 CANCELLED
at 1060s show job 23
> at 1030s job 23 PREEMPTED
> at 1030s terminate job 23 on n2
> job 23 PREEMPTED Reason=None Priority=4294901737 Restarts=0 RunTime=00:00:30 Nodes=n2 CPUs=2 Exit=0:0
