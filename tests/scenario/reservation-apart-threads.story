A job that waits for reserved cores is charged whole cores for its tasks, more than the CPUs that these use where they leave threads alone: one that waits outside starts only if there is memory for all of that.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
NodeName=n[1-4] Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
end
at 1s reserve ReservationName=r Duration=2000 StartTime=now Users=user Nodes=n1 CoreCnt=2
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> reservation r
at 1s reserve ReservationName=s Duration=2000 StartTime=now Users=user Nodes=n2 CoreCnt=2
> reservation s
at 1s reserve ReservationName=t Duration=2000 StartTime=now Users=user Nodes=n3 CoreCnt=2
> reservation t
at 2s submit --reservation r -n4 -t 15m --mem-per-cpu 50 --runs 900s
> job 1
> at 2s launch job 1 on n1
at 2s submit --reservation s -n4 -t 15m --mem-per-cpu 50 --runs 900s
> job 2
> at 2s launch job 2 on n2
at 2s submit --reservation t -n4 -t 15m --mem-per-cpu 50 --runs 900s
> job 3
> at 2s launch job 3 on n3
One task to a core: 4 CPUs, 600 MB.
at 3s submit --reservation r -n2 --ntasks-per-core 1 -t 15m --mem-per-cpu 150 --runs 100s
> job 4
As many CPUs as it wants of a node at least.
at 3s submit --reservation s -n1 --mincpus 4 -t 15m --mem-per-cpu 150 --runs 100s
> job 5
So many of a core only as it says; there is memory for both.
at 3s submit --reservation t -n1 --ntasks-per-core 1 -t 15m --mem-per-cpu 150 --runs 100s
> job 6
Outside one that wants a whole node keeps others from starting but by backfill.
at 3s submit -n4 -w n4 -t 60m --mem 1000 --runs 3000s
> job 7
> at 3s launch job 7 on n4
at 3s submit -N1 --exclusive --mem 1000 -t 60m --runs 100s
> job 8
at 4s submit -n1 -w n1 -t 120m --mem 650 --runs 7000s
> job 9
at 4s submit -n1 -w n2 -t 120m --mem 650 --runs 7000s
> job 10
at 4s submit -n1 -w n3 -t 120m --mem 650 --runs 7000s
> job 11
> at 4s launch job 11 on n3
at 910s show jobs
> at 902s job 1 COMPLETED
> at 902s terminate job 1 on n1
> at 902s job 2 TIMEOUT
> at 902s terminate job 2 on n2
> at 902s job 3 TIMEOUT
> at 902s terminate job 3 on n3
> at 902.001s launch job 4 on n1
> at 902.001s launch job 5 on n2
> at 902.001s launch job 6 on n3
>  4 main   R   0:07 1 n1
>  5 main   R   0:07 1 n2
>  6 main   R   0:07 1 n3
>  7 main   R  15:07 1 n4
>  8 main   PD  0:00 1 (Resources)
>  9 main   PD  0:00 1 (Priority)
> 10 main   PD  0:00 1 (Priority)
> 11 main   R  15:06 1 n3
