Reservations of cores in the plan where memory counts, which they do not keep: it is looked for from beginning to end beside all that run on the node and all that are planned there. And cores with threads.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
NodeName=n[1-2] Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE
end
at 1s reserve ReservationName=r StartTime=now Duration=2000 Users=user Nodes=n1 CoreCnt=2
> at 0s n1 registers
> at 0s n2 registers
> reservation r
at 1s submit -n8 -w n2 -t 1000m --mem 1000 --runs 36000s
> job 1
> at 1s launch job 1 on n2
Inside 300 MB for two hours, outside 200 MB for ten minutes.
at 2s submit --reservation r -n4 -t 120m --mem 300 --runs 7200s
> job 2
> at 2s launch job 2 on n1
at 2s submit -n4 -w n1 -t 10m --mem 200 --runs 600s
> job 3
> at 2s launch job 3 on n1
Outside 700 MB, for which there is room as soon as the job that runs there is over; then 800 MB, which waits for the job that runs inside, too.
at 3s submit -n4 -t 30m --mem 700 --runs 1800s
> job 4
at 3s submit -n4 -t 30m --mem 800 --runs 1800s
> job 5
Inside 400 MB, for which there is no room beside 800 MB; 200 MB have some; and one that wants more cores than its part of the node has.
at 4s submit --reservation r -n3 -t 60m --mem 400 --runs 1200s
> job 6
at 4s submit --reservation r -n3 -t 30m --mem 200 --runs 1200s
> job 7
at 4s submit -n5 -N1 -t 30m --mem 100 --runs 10s
> job 8
at 5s show plan
> 4 at 602s on n1 until 2402s
> 5 at 7202s on n1 until 9002s
> 6 at 9002s on n1 until 12602s
> 7 at 7202s on n1 until 9002s
> 8 at 60001s on n2 until 61801s
Memory for each CPU: of the cores that its tasks would have.
at 5s estimate -n3 -t 10m --mem-per-cpu 100
> in 00:39:57 on n1, 4 CPUs
at 5s estimate -n3 -t 10m --mem-per-cpu 250
> in 03:29:57 on n1, 4 CPUs
at 20000s show jobs
> at 602s job 3 COMPLETED
> at 602s terminate job 3 on n1
> at 602.001s launch job 4 on n1
> at 2402.001s job 4 COMPLETED
> at 2402.001s terminate job 4 on n1
> at 7202s job 2 COMPLETED
> at 7202s terminate job 2 on n1
> at 7202.001s launch job 5 on n1
> at 7202.001s launch job 7 on n1
> at 8402.001s job 7 COMPLETED
> at 8402.001s terminate job 7 on n1
> at 9002.001s job 5 COMPLETED
> at 9002.001s terminate job 5 on n1
> at 9002.002s launch job 6 on n1
> at 10202.002s job 6 COMPLETED
> at 10202.002s terminate job 6 on n1
>  1 main   R  5:33:19 1 n2
>  8 main   PD  0:00 1 (Resources)
