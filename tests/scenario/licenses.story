Licenses: a job has what it asks for from its start until nothing of it is left, stopped or not; one that lacks some waits with that
reason and delays none that needs none.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
Licenses=matlab:4,ansys,fluent=2
NodeName=n[1-4] CPUs=4
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-4] MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s submit -L matlab:3 -t 100s --runs 50s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1
> at 0s launch job 1 on n1
at 0s submit -L matlab:5
> refused: Invalid license specification (5 of license matlab requested, 4 exist)
at 0s submit -L nosuch
> refused: Invalid license specification (there is no license nosuch)
at 0s submit -L matlab:-1
> refused: Invalid license specification ("matlab:-1": "matlab:-1" is not a name and a count up to 2147483647)
at 0s submit -L ansys|nosuch
> refused: Invalid license specification (there is no license nosuch)
at 0s submit -L ansys,fluent|matlab
> refused: Invalid license specification ("ansys,fluent|matlab": commas and "|" do not go together)
at 1s submit -L matlab:2 -t 60s --runs 20s
> job 2
at 1s submit -t 60s --runs 20s
> job 3
> at 1s launch job 3 on n1
at 1s submit -L matlab -t 60s --runs 20s
> job 4
> at 1s launch job 4 on n1
Job 4 is behind job 2, which must have two of the four at 100 s: it ends before.
at 2s submit -L matlab -t 200s --runs 20s
> job 5
Job 5 would still hold one then, with two of job 2: that does no harm. A fifth one would.
at 2s submit -L matlab:2 -t 200s --runs 20s
> job 6
at 2s show jobs
>  1 low    R   0:02 1 n1
>  2 low    PD  0:00 1 (Licenses)
>  3 low    R   0:01 1 n1
>  4 low    R   0:01 1 n1
>  5 low    PD  0:00 1 (Licenses)
>  6 low    PD  0:00 1 (Licenses)
at 2s show plan
> 2 at 100s on n1 until 160s
> 5 at 61s on n1 until 261s
> 6 at 160s on n1 until 360s
at 2s show licenses
> ansys 0 of 1
> fluent 0 of 2
> matlab 4 of 4
>  job 1 has matlab:3
>  job 4 has matlab:1
at 2s estimate -L matlab:2 -t 60s
> in 00:04:19 on n1, 1 CPUs
at 2s estimate -L ansys -t 60s
> in 00:00:00 on n1, 1 CPUs
At 50 s job 1 ends, early: the first that waits goes on at once.
at 51s show jobs
> at 21s job 3 COMPLETED
> at 21s terminate job 3 on n1
> at 21s job 4 COMPLETED
> at 21s terminate job 4 on n1
> at 21.001s launch job 5 on n1
> at 41.001s job 5 COMPLETED
> at 41.001s terminate job 5 on n1
> at 50s job 1 COMPLETED
> at 50s terminate job 1 on n1
> at 50.001s launch job 2 on n1
> at 50.001s launch job 6 on n1
>  2 low    R   0:00 1 n1
>  6 low    R   0:00 1 n1
at 51s show licenses
> ansys 0 of 1
> fluent 0 of 2
> matlab 4 of 4
>  job 2 has matlab:2
>  job 6 has matlab:2
at 120s show jobs
> at 70.001s job 2 COMPLETED
> at 70.001s terminate job 2 on n1
> at 70.001s job 6 COMPLETED
> at 70.001s terminate job 6 on n1
at 120s show licenses
> ansys 0 of 1
> fluent 0 of 2
> matlab 0 of 4
One of several: the first that is there.
at 120s submit -L fluent:2|ansys -t 100s --runs 40s
> job 7
> at 120s launch job 7 on n1
at 121s submit -L fluent:2|ansys -t 100s --runs 60s
> job 8
> at 121s launch job 8 on n1
at 122s submit -L fluent:2|ansys -t 100s --runs 10s
> job 9
at 123s show licenses
> ansys 1 of 1
> fluent 2 of 2
> matlab 0 of 4
>  job 7 has fluent:2
>  job 8 has ansys:1
at 123s show jobs
>  7 low    R   0:03 1 n1
>  8 low    R   0:02 1 n1
>  9 low    PD  0:00 1 (Licenses)
at 165s show licenses
> at 160s job 7 COMPLETED
> at 160s terminate job 7 on n1
> at 160.001s launch job 9 on n1
> ansys 1 of 1
> fluent 2 of 2
> matlab 0 of 4
>  job 8 has ansys:1
>  job 9 has fluent:2
at 300s show licenses
> at 170.001s job 9 COMPLETED
> at 170.001s terminate job 9 on n1
> at 181s job 8 COMPLETED
> at 181s terminate job 8 on n1
> ansys 0 of 1
> fluent 0 of 2
> matlab 0 of 4
A job that is stopped keeps its own.
at 300s submit -N4 -n16 -L matlab:4 -t 500s --runs 100s
> job 10
> at 300s launch job 10 on n1
at 310s submit -p high -N4 -n16 -t 500s --runs 50s
> job 11
> at 310s freeze job 10 on n1
at 311s submit -p high -L matlab -t 20s --runs 10s
> at 310.001s launch job 11 on n1
> job 12
at 312s show licenses
> ansys 0 of 1
> fluent 0 of 2
> matlab 4 of 4
>  job 10 has matlab:4
at 312s show jobs
> 10 low    S   0:10 4 n[1-4]
> 11 high   R   0:01 4 n[1-4]
> 12 high   PD  0:00 1 (Licenses)
The site gives some away, and gets more: what runs keeps what it has.
at 320s
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
Licenses=matlab:2,fluent:2
NodeName=n[1-4] CPUs=4
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-4] MaxTime=INFINITE
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 321s show licenses
> fluent 0 of 2
> matlab 4 of 2
>  job 10 has matlab:4
at 321s show jobs
> 10 low    S   0:10 4 n[1-4]
> 11 high   R   0:10 4 n[1-4]
> 12 high   PD  0:00 1 (Licenses)
at 322s submit -L ansys
> refused: Invalid license specification (there is no license ansys)
at 600s show jobs
> at 360.001s job 11 COMPLETED
> at 360.001s terminate job 11 on n1
> at 360.002s thaw job 10 on n1
> at 450.002s job 10 COMPLETED
> at 450.002s terminate job 10 on n1
> at 450.003s launch job 12 on n1
> at 460.003s job 12 COMPLETED
> at 460.003s terminate job 12 on n1
at 600s show licenses
> fluent 0 of 2
> matlab 0 of 2
A job that waits for nodes comes before one behind it that wants the same.
at 600s submit -N4 --exclusive -t 100s --runs 100s
> job 13
> at 600s launch job 13 on n1
at 601s submit -N4 --exclusive -L matlab:2 -t 100s --runs 50s
> job 14
at 602s submit -L matlab -t 300s --runs 10s -w n1
> job 15
at 603s show plan
> 14 at 700s on n[1-4] until 800s
> 15 at 800s on n1 until 1100s
at 900s show jobs
> at 700s job 13 COMPLETED
> at 700s terminate job 13 on n1
> at 700.001s launch job 14 on n1
> at 750.001s job 14 COMPLETED
> at 750.001s terminate job 14 on n1
> at 750.002s launch job 15 on n1
> at 760.002s job 15 COMPLETED
> at 760.002s terminate job 15 on n1
A job that has ended and is sent back asks anew.
at 900s submit -L matlab:2 -t 100s --runs 50s
> job 16
> at 900s launch job 16 on n1
at 905s requeue 15
at 906s show licenses
> fluent 0 of 2
> matlab 2 of 2
>  job 16 has matlab:2
at 1000s show licenses
> at 950s job 16 COMPLETED
> at 950s terminate job 16 on n1
> at 950.001s launch job 15 on n1
> at 960.001s job 15 COMPLETED
> at 960.001s terminate job 15 on n1
> fluent 0 of 2
> matlab 0 of 2
An array's tasks take one each.
at 1000s submit --array 1-4 -L fluent -t 100s --runs 20s
> job 17
> at 1000s launch job 18 on n1
> at 1000s launch job 19 on n1
at 1001s show licenses
> fluent 2 of 2
> matlab 0 of 2
>  job 18 has fluent:1
>  job 19 has fluent:1
at 1030s show licenses
> at 1020s job 18 COMPLETED
> at 1020s terminate job 18 on n1
> at 1020s job 19 COMPLETED
> at 1020s terminate job 19 on n1
> at 1020.001s launch job 20 on n1
> at 1020.001s launch job 17 on n1
> fluent 2 of 2
> matlab 0 of 2
>  job 20 has fluent:1
>  job 17 has fluent:1
at 1100s show jobs
> at 1040.001s job 20 COMPLETED
> at 1040.001s terminate job 20 on n1
> at 1040.001s job 17 COMPLETED
> at 1040.001s terminate job 17 on n1
end
