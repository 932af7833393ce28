Where memory counts, a reservation of cores keeps no job from that of its node: one that waits outside starts if there is enough for both.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE
end
at 1s reserve ReservationName=r StartTime=now Duration=1000 Users=user Nodes=n1 CoreCnt=2
> at 0s n1 registers
> at 0s n2 registers
> reservation r
at 2s submit --reservation r -n2 -t 60m --mem 300 --runs 100s
> job 1
> at 2s launch job 1 on n1
at 3s submit --reservation r -n2 -t 60m --mem 600 --runs 100s
> job 2
at 4s submit -n4 -w n2 -t 60m --mem 1000 --runs 3000s
> job 3
> at 4s launch job 3 on n2
at 5s submit -N1 --exclusive --mem 1000 -t 60m --runs 100s
> job 4
at 7s submit -n1 -t 120m --mem 200 --runs 300s
> job 5
> at 7s launch job 5 on n1
at 8s submit -n1 -t 120m --mem 300 --runs 300s
> job 6
at 110s show jobs
> at 102s job 1 COMPLETED
> at 102s terminate job 1 on n1
> at 102.001s launch job 2 on n1
>  2 main   R   0:07 1 n1
>  3 main   R   1:46 1 n2
>  4 main   PD  0:00 1 (Resources)
>  5 main   R   1:43 1 n1
>  6 main   PD  0:00 1 (Priority)
