PrologSlurmctld and EpilogSlurmctld.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=1
Licenses=matlab:1
SuspendTime=100
SuspendProgram=/suspend
ResumeProgram=/resume
SuspendTimeout=5
ResumeTimeout=100
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PrologSlurmctld=/prolog
EpilogSlurmctld=/epilog
NodeName=n[1-2] CPUs=2
NodeName=c1 CPUs=2 State=CLOUD
PartitionName=p Nodes=n[1-2] Default=YES
PartitionName=q Nodes=n[1-2] PriorityTier=2
PartitionName=c Nodes=c1
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s hush suspend
at 1s delay hook 5s
The prolog runs at the allocation, the job is configuring meanwhile.
at 1s submit -N1 --runs 10s -L matlab
> job 1
> at 1s hook job 1
at 2s show jobs
>  1 p      CF  0:00 1 n1
It is over on its nodes, and its license is another job's, while its epilog runs.
at 2s submit -N1 --runs 1s -L matlab
> job 2
at 18s show jobs
> at 6s launch job 1 on n1
> at 16s job 1 COMPLETED
> at 16s terminate job 1 on n1
> at 16s hook job 1
> at 16.001s hook job 2
>  1 p      CG  0:10 1 n1
>  2 p      CF  0:00 1 n1
at 30s show jobs
> at 21.001s launch job 2 on n1
> at 22.001s job 2 COMPLETED
> at 22.001s terminate job 2 on n1
> at 22.001s hook job 2
A node is woken beside it.
at 40s delay boot 3s
at 40s submit -p c --runs 1s
> job 3
> at 40s hook job 3
> at 40s resume c1 (job 3: c1)
at 42s show jobs
>  3 c      CF  0:00 1 c1
at 60s show jobs
> at 45s launch job 3 on c1
> at 46s job 3 COMPLETED
> at 46s terminate job 3 on c1
> at 46s hook job 3
A preemptor takes the nodes of a victim whose epilog hangs; that goes back to the queue afterwards.
at 70s delay hook 0s
at 70s submit -N2 -n4 --runs 5m
> job 4
> at 70s hook job 4
at 71s delay hook 60s
> at 70s launch job 4 on n1
at 71s submit -p q -N2 -n4 --runs 10s
> job 5
> at 71s job 4 is requeued
> at 71s terminate job 4 on n1
> at 71s hook job 4
at 75s show jobs
> at 71.001s hook job 5
>  4 p      CG  0:00 2 n[1-2]
>  5 q      CF  0:00 2 n[1-2]
A controller that is started anew waits for it.
at 76s kill
> at 76s hook job 4
> at 76s hook job 5
at 80s show jobs
>  4 p      CG  0:00 2 n[1-2]
>  5 q      CF  0:00 2 n[1-2]
at 600s show jobs
> at 131.001s launch job 5 on n1
> at 141.001s job 5 COMPLETED
> at 141.001s terminate job 5 on n1
> at 141.001s hook job 5
> at 141.002s hook job 4
> at 201.002s launch job 4 on n1
> at 501.002s job 4 COMPLETED
> at 501.002s terminate job 4 on n1
> at 501.002s hook job 4
Its prolog is ended with a job that is cancelled, the epilog follows.
at 660s delay hook 20s
at 660s submit -N1 --runs 1s
> job 6
> at 660s hook job 6
> at 660s resume n1 (job 6: n1)
at 671s cancel 6
> at 671s job 6 CANCELLED
> at 671s hook job 6 at once
at 672s show jobs
> at 671s hook job 6
>  6 p      CG  0:00 1 n1
at 720s show jobs
Licenses are counted anew while an epilog runs: its job has none of them.
at 800s delay hook 60s
at 800s submit -N1 --runs 1s -L matlab
> job 7
> at 800s hook job 7
> at 800s resume n1 (job 7: n1)
at 870s show licenses
> at 860s launch job 7 on n1
> at 861s job 7 COMPLETED
> at 861s terminate job 7 on n1
> at 861s hook job 7
> matlab 0 of 1
>  job 7 has matlab:1
at 870s reserve ReservationName=r StartTime=now+9 Duration=5 Users=user Licenses=matlab:1 Flags=LICENSE_ONLY NodeCnt=1
> reservation r
at 870s unreserve r
at 870s show licenses
> matlab 0 of 1
>  job 7 has matlab:1
at 1000s show licenses
> matlab 0 of 1
