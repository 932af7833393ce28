What jobs hold of hierarchical resources lives with them: through requeue, preemption, reconfiguration with fewer and other layers, kill -9 and reservations; and a job that needs many layers has its place in the plan.
conf
SelectType=select/linear
SchedulerType=sched/backfill
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PreemptParameters=reclaim_licenses
NodeName=n[1-8] CPUs=1
PartitionName=DEFAULT Nodes=n[1-8] MaxTime=INFINITE
PartitionName=main Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-8]"], count: 6}
resources.yaml     - {nodes: ["n[1-4]"], count: 4}
resources.yaml     - {nodes: ["n[5-8]"], count: 4}
end
Small jobs come and go; a large one behind them is not stalled: those behind it wait, but for one that is over before.
at 0s submit --array 0-2 -L flat:2 -t 100s --runs 100s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
> job 1
> at 0s launch job 2 on n1
> at 0s launch job 3 on n2
> at 0s launch job 1 on n5
at 1s submit -N2 -L flat:4 -t 100s --runs 100s
> job 4
at 2s submit --array 0-4 -L flat:1 -t 200s --runs 150s
> job 5
at 2s submit -L flat:1 -t 50s --runs 50s
> job 6
at 3s show jobs
> 1_2 main   R   0:03 1 n5
> 1_0 main   R   0:03 1 n1
> 1_1 main   R   0:03 1 n2
>  4 main   PD  0:00 2 (Licenses)
> 5_[0-4] main   PD  0:00 1 (Licenses)
>  6 main   PD  0:00 1 (Licenses)
at 3s show plan
> 4 at 100s on n[1-2] until 200s
> 5 at 100s on n5 until 300s
> 6 at 100s on n6 until 150s
at 150s show licenses
> at 100s job 2 COMPLETED
> at 100s terminate job 2 on n1
> at 100s job 3 TIMEOUT
> at 100s terminate job 3 on n2
> at 100s job 1 TIMEOUT
> at 100s terminate job 1 on n5
> at 100.001s launch job 7 on n6
> at 100.001s launch job 8 on n7
> at 100.001s launch job 4 on n1
> flat(n[1-4]) 4 of 4
> flat(n[1-8]) 6 of 6
> flat(n[5-8]) 2 of 4
>  job 7 has flat(n[1-8]):1,flat(n[5-8]):1
>  job 8 has flat(n[1-8]):1,flat(n[5-8]):1
>  job 4 has flat(n[1-8]):4,flat(n[1-4]):4
at 150s show jobs
>  4 main   R   0:49 2 n[1-2]
> 5_[2-4] main   PD  0:00 1 (Licenses)
>  6 main   PD  0:00 1 (Licenses)
> 5_0 main   R   0:49 1 n6
> 5_1 main   R   0:49 1 n7
A requeued job asks for the same again, and a killed controller finds who has what.
at 600s submit -N2 -L flat:3 -t 500s --runs 300s
> at 200.001s job 4 COMPLETED
> at 200.001s terminate job 4 on n1
> at 200.002s launch job 9 on n1
> at 200.002s launch job 10 on n2
> at 200.002s launch job 5 on n3
> at 200.002s launch job 6 on n4
> at 250.001s job 7 COMPLETED
> at 250.001s terminate job 7 on n6
> at 250.001s job 8 COMPLETED
> at 250.001s terminate job 8 on n7
> at 250.002s job 6 COMPLETED
> at 250.002s terminate job 6 on n4
> at 350.002s job 9 COMPLETED
> at 350.002s terminate job 9 on n1
> at 350.002s job 10 COMPLETED
> at 350.002s terminate job 10 on n2
> at 350.002s job 5 COMPLETED
> at 350.002s terminate job 5 on n3
> job 11
> at 600s launch job 11 on n1
at 601s requeue 11
> at 601s job 11 is requeued
> at 601s terminate job 11 on n1
at 650s kill
> at 601.001s launch job 11 on n1
at 800s show licenses
> at 650.5s n1 registers
> at 650.582s n7 registers
> at 650.597s n2 registers
> at 650.679s n8 registers
> at 650.694s n3 registers
> at 650.791s n4 registers
> at 650.888s n5 registers
> at 650.985s n6 registers
> flat(n[1-4]) 3 of 4
> flat(n[1-8]) 3 of 6
> flat(n[5-8]) 0 of 4
>  job 11 has flat(n[1-8]):3,flat(n[1-4]):3
at 800s show jobs
> 11 main   R   3:18 2 n[1-2]
Fewer than are in use: nothing starts until enough are free.  A layer that is gone counts nowhere.
conf
SelectType=select/linear
SchedulerType=sched/backfill
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PreemptParameters=reclaim_licenses
NodeName=n[1-8] CPUs=1
PartitionName=DEFAULT Nodes=n[1-8] MaxTime=INFINITE
PartitionName=main Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-8]"], count: 2}
resources.yaml     - {nodes: ["n[5-8]"], count: 4}
end
at 801s submit -L flat:1 -t 10s --runs 5s
> job 12
at 802s show licenses
> flat(n[1-8]) 3 of 2
> flat(n[5-8]) 0 of 4
>  job 11 has flat(n[1-8]):3,flat(n[1-4]):3
at 802s show jobs
> 11 main   R   3:20 2 n[1-2]
> 12 main   PD  0:00 1 (Licenses)
at 802s estimate -L flat:2 -t 10s
> in 00:05:09 on n1, 1 CPUs
A job of a higher tier takes what it needs from one that holds it.
at 803s submit -p high -L flat:2 -t 10s --runs 5s
> job 13
> at 803s job 11 is requeued
> at 803s terminate job 11 on n1
at 820s show jobs
> at 803.001s launch job 13 on n1
> at 808.001s job 13 COMPLETED
> at 808.001s terminate job 13 on n1
> at 808.002s launch job 12 on n1
> at 813.002s job 12 COMPLETED
> at 813.002s terminate job 12 on n1
> 11 main   PD  0:00 2 (Licenses)
What a reservation keeps of a layer is for its jobs.
at 2000s reserve ReservationName=r StartTime=now Duration=10 Users=user Flags=ANY_NODES Licenses=flat:1
> refused: Invalid license specification (flat: a layer of it was expected, as flat(NODES))
at 2000s reserve ReservationName=r StartTime=now Duration=10 Users=user Flags=ANY_NODES Licenses=flat(n[1-4]):1
> refused: Invalid license specification (flat has no layer flat(n[1-4]))
at 2000s reserve ReservationName=r StartTime=now Duration=10 Users=user Flags=ANY_NODES Licenses=other(n[1-8]):1
> refused: Invalid license specification (other(n[1-8]): there is no hierarchical resource other)
at 2000s reserve ReservationName=r StartTime=now Duration=10 Users=user Flags=ANY_NODES Licenses=flat(n[1-8]):3
> refused: Invalid license specification (3 of license flat(n[1-8]) requested, 2 exist)
at 2000s reserve ReservationName=r StartTime=now Duration=10 Users=user Flags=ANY_NODES Licenses=flat(n[8,1-7]):2,flat(n[5-8]):1
> reservation r
at 2001s submit -L flat:1 -t 10s --runs 5s
> job 14
at 2001s submit --reservation r -L flat:1 -t 60s --runs 60s
> job 15
> at 2001s launch job 15 on n1
at 2002s show licenses
> flat(n[1-8]) 1 of 2
> flat(n[5-8]) 0 of 4
>  job 15 has flat(n[1-8]):1
at 2002s show jobs
> 11 main   PD  0:00 2 (Licenses)
> 14 main   PD  0:00 1 (Licenses)
> 15 main   R   0:01 1 n1
at 2002s kill
at 2700s show jobs
> at 2002.5s n1 registers
> at 2002.582s n7 registers
> at 2002.597s n2 registers
> at 2002.679s n8 registers
> at 2002.694s n3 registers
> at 2002.791s n4 registers
> at 2002.888s n5 registers
> at 2002.985s n6 registers
> at 2061s job 15 COMPLETED
> at 2061s terminate job 15 on n1
> at 2600s launch job 14 on n1
> at 2605s job 14 COMPLETED
> at 2605s terminate job 14 on n1
> 11 main   PD  0:00 2 (Licenses)
A reservation keeps nothing of a layer that is gone, nor of a license; it stays, with the others.
at 3000s reserve ReservationName=s StartTime=now Duration=100 Users=user Flags=ANY_NODES Licenses=flat(n[1-8]):1,flat(n[5-8]):3
> reservation s
at 3000s tell log
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-8] CPUs=1
Licenses=other:2
PartitionName=DEFAULT Nodes=n[1-8] MaxTime=INFINITE
PartitionName=main Default=YES PriorityTier=1
PartitionName=high PriorityTier=2
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[5-8]"], count: 4}
resources.yaml     - {nodes: ["n[1-4]"], count: 4}
end
> at 3000s log: Reservation s keeps nothing of flat(n[1-8]) any more: there is no such layer
> at 3000s log: Allocate JobId=11 NodeList=n[1-2] #CPUs=2 Partition=main
> at 3000s launch job 11 on n1
at 3001s hush log
at 3001s show reservations
> s ACTIVE from 3000s until 9000s on  with flat(n[5-8]):3 ANY_NODES
at 3001s submit -w n5 -L flat:2 -t 10s --runs 5s
> job 16
at 3001s submit -w n1 -L flat:2 -t 10s --runs 5s
> job 17
at 3002s show licenses
> flat(n[1-4]) 3 of 4
> flat(n[5-8]) 0 of 4
> other 0 of 2
>  job 11 has flat(n[1-4]):3
at 3003s kill
at 3010s show reservations
> at 3003.5s n1 registers
> at 3003.582s n7 registers
> at 3003.597s n2 registers
> at 3003.679s n8 registers
> at 3003.694s n3 registers
> at 3003.791s n4 registers
> at 3003.888s n5 registers
> at 3003.985s n6 registers
> s ACTIVE from 3000s until 9000s on  with flat(n[5-8]):3 ANY_NODES
