Reservations of cores (CoreCnt) divide their nodes, and the plan keeps each part by itself: a job that waits inside waits for jobs that run inside, one that waits outside for those that run outside. As of nodes, of a part it keeps the whole.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
NodeName=n[1-2] CPUs=4
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE
end
at 1s reserve ReservationName=r StartTime=now Duration=1000 Users=user Nodes=n1 CoreCnt=2
> at 0s n1 registers
> at 0s n2 registers
> reservation r
at 1s submit -n4 -w n2 -t 600m --runs 36000s
> job 1
> at 1s launch job 1 on n2
Inside one runs for an hour, outside one for ten minutes.
at 2s submit --reservation r -n2 -t 60m --runs 3600s
> job 2
> at 2s launch job 2 on n1
at 2s submit -n2 -w n1 -t 10m --runs 600s
> job 3
> at 2s launch job 3 on n1
Two wait outside, two inside; the third outside wants more than is left of n1.
at 3s submit -n2 -t 30m --runs 100s
> job 4
at 3s submit -n1 -t 30m --runs 100s
> job 5
at 3s submit --reservation r -n2 -t 20m --runs 100s
> job 6
at 3s submit --reservation r -n1 -t 20m --runs 100s
> job 7
at 3s submit -n4 -N1 -t 20m --runs 100s
> job 8
at 4s show plan
> 4 at 602s on n1 until 2402s
> 5 at 2402s on n1 until 4202s
> 6 at 3602s on n1 until 4802s
> 7 at 4802s on n1 until 6002s
> 8 at 36001s on n2 until 37201s
at 4s estimate -n2 -t 10m
> in 01:09:58 on n1, 2 CPUs
at 4s estimate --reservation r -n2 -t 10m
> in 01:39:58 on n1, 2 CPUs
One that is to have the whole node waits for all of it.
at 4s estimate -N1 --exclusive -w n1 -t 10m
> in 16:39:57 on n1, 4 CPUs
at 5000s show jobs
> at 602s job 3 COMPLETED
> at 602s terminate job 3 on n1
> at 602.001s launch job 4 on n1
> at 702.001s job 4 COMPLETED
> at 702.001s terminate job 4 on n1
> at 702.002s launch job 5 on n1
> at 802.002s job 5 COMPLETED
> at 802.002s terminate job 5 on n1
> at 3602s job 2 COMPLETED
> at 3602s terminate job 2 on n1
> at 3602.001s launch job 6 on n1
> at 3702.001s job 6 COMPLETED
> at 3702.001s terminate job 6 on n1
> at 3702.002s launch job 7 on n1
> at 3802.002s job 7 COMPLETED
> at 3802.002s terminate job 7 on n1
>  1 main   R  1:23:19 1 n2
>  8 main   PD  0:00 1 (Resources)
A reservation that is still to come: a job that is over by then has all of the node, one that is not has the rest from its beginning on, beside the one that waits inside; one that waits for a second place inside ends with the reservation.
at 40000s unreserve r
> at 36001s job 1 COMPLETED
> at 36001s terminate job 1 on n2
> at 36001.001s launch job 8 on n2
> at 36101.001s job 8 COMPLETED
> at 36101.001s terminate job 8 on n2
at 40001s reserve ReservationName=s StartTime=now+600 Duration=100 Users=user Nodes=n1 CoreCnt=2
> reservation s
at 40001s submit -n4 -w n2 -t 600m --runs 36000s
> job 9
> at 40001s launch job 9 on n2
at 40001s submit -n4 -w n1 -t 5m --runs 300s
> job 10
> at 40001s launch job 10 on n1
at 40002s submit --reservation s -n2 -t 30m --runs 1800s
> job 11
at 40002s submit -n2 -t 60m --runs 100s
> job 12
at 40002s submit -n4 -N1 -w n1 -t 5m --runs 100s
> job 13
at 40002s submit --reservation s -n2 -t 120m --runs 9000s
> job 14
at 40002s submit -n4 -N1 -w n1 -t 60m --runs 100s
> job 15
at 40003s show plan
> 11 at 40601s on n1 until 42401s
> 12 at 40301s on n1 until 43901s
> 13 at 46601s on n1 until 46901s
> 14 at 42401s on n1 until 46601s
> 15 at 46901s on n1 until 50501s
at 50000s show jobs
> at 40301s job 10 COMPLETED
> at 40301s terminate job 10 on n1
> at 40301.001s launch job 12 on n1
> at 40401.001s job 12 COMPLETED
> at 40401.001s terminate job 12 on n1
> at 40601s launch job 11 on n1
> at 42401s job 11 COMPLETED
> at 42401s terminate job 11 on n1
> at 42401.001s launch job 14 on n1
> at 46601s job 14 TIMEOUT
> at 46601s terminate job 14 on n1
> at 46601.001s launch job 13 on n1
> at 46701.001s job 13 COMPLETED
> at 46701.001s terminate job 13 on n1
> at 46701.002s launch job 15 on n1
> at 46801.002s job 15 COMPLETED
> at 46801.002s terminate job 15 on n1
>  9 main   R  2:46:39 1 n2
at 80000s show jobs
> at 76001s job 9 COMPLETED
> at 76001s terminate job 9 on n2
Of two that have some cores in common the jobs of one are in the way of the other's, and of none that has none of these.
at 80000s reserve ReservationName=a StartTime=now Duration=1000 Users=user Nodes=n1 CoreCnt=2 Flags=OVERLAP
> reservation a
at 80000s reserve ReservationName=d StartTime=now Duration=1000 Users=user Nodes=n1 CoreCnt=3 Flags=OVERLAP
> reservation d
at 80001s show reservations
> a ACTIVE from 80000s until 140000s on n1 (n1:0-1) OVERLAP,SPEC_NODES
> d ACTIVE from 80000s until 140000s on n1 (n1:0-2) OVERLAP,SPEC_NODES
at 80001s submit -n4 -w n2 -t 600m --runs 36000s
> job 16
> at 80001s launch job 16 on n2
at 80001s submit --reservation a -n2 -t 60m --runs 3600s
> job 17
> at 80001s launch job 17 on n1
at 80001s submit -n1 -t 10m --runs 600s
> job 18
> at 80001s launch job 18 on n1
at 80002s submit --reservation d -n1 -t 5m --runs 300s
> job 19
> at 80002s launch job 19 on n1
at 80002s submit --reservation d -n3 -t 5m --runs 10s
> job 20
at 80002s submit -n1 -t 5m --runs 10s
> job 21
at 80002s submit --reservation a -n1 -t 5m --runs 10s
> job 22
at 80003s show plan
> 20 at 83601s on n1 until 83901s
> 21 at 80601s on n1 until 80901s
> 22 at 83901s on n1 until 84201s
at 90000s show jobs
> at 80302s job 19 COMPLETED
> at 80302s terminate job 19 on n1
> at 80601s job 18 COMPLETED
> at 80601s terminate job 18 on n1
> at 80601.001s launch job 21 on n1
> at 80611.001s job 21 COMPLETED
> at 80611.001s terminate job 21 on n1
> at 83601s job 17 COMPLETED
> at 83601s terminate job 17 on n1
> at 83601.001s launch job 20 on n1
> at 83611.001s job 20 COMPLETED
> at 83611.001s terminate job 20 on n1
> at 83611.002s launch job 22 on n1
> at 83621.002s job 22 COMPLETED
> at 83621.002s terminate job 22 on n1
> 16 main   R  2:46:39 1 n2
