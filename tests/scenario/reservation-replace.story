REPLACE: for nodes that are taken or fail idle ones come, at once and before another job has them, as long as there are any; a job that runs outside stays where it is. As Slurm.
conf
SelectType=select/linear
SchedulerType=sched/backfill
NodeName=n[1-6] CPUs=1
PartitionName=main Nodes=n[1-6] Default=YES MaxTime=INFINITE
end
at 0s reserve ReservationName=r StartTime=now Duration=1000 Users=user NodeCnt=2 Flags=REPLACE
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> reservation r
at 1s submit -N3 -w n[4-6] -t 60m --runs 3000s
> job 1
> at 1s launch job 1 on n4
One inside, one outside, one inside, all three in one pass: n3, which is idle, is the reservation's as soon as the first has started.
at 2s submit --begin 3s --reservation r -N1 -t 10m --runs 100s
> job 2
at 2s submit --begin 3s -N1 -t 10m --runs 100s
> job 3
at 2s submit --begin 3s --reservation r -N1 -t 10m --runs 200s
> job 4
at 6s show jobs
> at 5s launch job 2 on n1
> at 5s launch job 4 on n2
>  1 main   R   0:05 3 n[4-6]
>  2 main   R   0:01 1 n1
>  3 main   PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  4 main   R   0:01 1 n2
at 6s show reservations
> r ACTIVE from 0s until 60000s on n[2-3] REPLACE
A job that waits outside is planned where the reservation leaves it something.
at 6s show plan
> 3 at 605s on n1 until 1205s
As soon as n1 is free it is the reservation's again, and not the job's; when n2 is free, it is the job's.
at 150s show reservations
> at 105s job 2 COMPLETED
> at 105s terminate job 2 on n1
> r ACTIVE from 0s until 60000s on n[1,3] REPLACE
at 150s show jobs
>  1 main   R   2:29 3 n[4-6]
>  3 main   PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  4 main   R   2:25 1 n2
at 250s show jobs
> at 205s job 4 COMPLETED
> at 205s terminate job 4 on n2
> at 205.001s launch job 3 on n2
>  1 main   R   4:09 3 n[4-6]
>  3 main   R   0:44 1 n2
at 250s show reservations
> r ACTIVE from 0s until 60000s on n[1,3] REPLACE
A node that is idle and fails: another comes; when it is back any job may have it.
at 400s admin n3 DOWN "broken"
> at 305.001s job 3 COMPLETED
> at 305.001s terminate job 3 on n2
at 400s show reservations
> r ACTIVE from 0s until 60000s on n[1-2] REPLACE
at 401s admin n3 resume
at 401s show reservations
> r ACTIVE from 0s until 60000s on n[1-2] REPLACE
None is idle: what has failed stays, until one is; that comes before a job that waits outside has it.
at 402s submit -N1 -t 10m --runs 300s
> job 5
> at 402s launch job 5 on n3
at 402s submit -N1 -t 10m --runs 300s
> job 6
at 404s admin n1 DOWN "broken"
at 404s show reservations
> r ACTIVE from 0s until 60000s on n[1-2] REPLACE
at 404s show plan
> 6 at 1002s on n3 until 1602s
at 800s show reservations
> at 702s job 5 COMPLETED
> at 702s terminate job 5 on n3
> r ACTIVE from 0s until 60000s on n[2-3] REPLACE
at 800s show jobs
>  1 main   R  13:19 3 n[4-6]
>  6 main   PD  0:00 1 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
at 801s admin n1 resume
> at 801s launch job 6 on n1
at 1200s show jobs
> at 1101s job 6 COMPLETED
> at 1101s terminate job 6 on n1
>  1 main   R  19:59 3 n[4-6]
A job that waits outside is planned on a node that is idle, with another; as soon as the reservation takes that it has another plan, not a late one.
at 1201s show reservations
> r ACTIVE from 0s until 60000s on n[2-3] REPLACE
at 1202s submit -N2 -t 10m --runs 100s
> job 7
at 1203s show plan
> 7 at 3601s on n[1,4] until 4201s
at 1204s submit --reservation r -N1 -t 200m --runs 4000s
> job 8
> at 1204s launch job 8 on n2
at 1204s show reservations
> r ACTIVE from 0s until 60000s on n[1,3] REPLACE
at 1204s show plan
> 7 at 3601s on n[4-5] until 4201s
at 1205s estimate -N1 -t 10m
> in 00:39:56 on n6, 1 CPUs
at 3100s show jobs
> at 3001s job 1 COMPLETED
> at 3001s terminate job 1 on n4
> at 3001s launch job 7 on n5
>  7 main   R   1:39 2 n[5-6]
>  8 main   R  31:36 1 n2
at 5300s unreserve r
> at 3101s job 7 COMPLETED
> at 3101s terminate job 7 on n5
> at 5204s job 8 COMPLETED
> at 5204s terminate job 8 on n2
A node fails under a job inside: it is requeued, and has the one that comes instead.
at 6000s reserve ReservationName=s StartTime=now Duration=1000 Users=user NodeCnt=2 Flags=REPLACE
> reservation s
at 6001s submit -N3 -w n[3-5] -t 60m --runs 3600s
> job 9
> at 6001s launch job 9 on n3
at 6001s submit --reservation s -N2 -t 10m --runs 100s
> job 10
> at 6001s launch job 10 on n1
at 6002s show reservations
> s ACTIVE from 6000s until 66000s on n[2,6] REPLACE
at 6003s admin n1 DOWN "broken"
> at 6003s terminate job 10 on n1 at once
> at 6003s job 10 is requeued
> at 6003s launch job 10 on n2
at 6004s show jobs
>  9 main   R   0:03 3 n[3-5]
> 10 main   R   0:01 2 n[2,6]
at 6004s show reservations
> s ACTIVE from 6000s until 66000s on n[2,6] REPLACE
at 9900s show jobs
> at 6103s job 10 COMPLETED
> at 6103s terminate job 10 on n2
> at 9601s job 9 COMPLETED
> at 9601s terminate job 9 on n3
at 9900s admin n1 resume
at 9901s unreserve s
REPLACE_DOWN: only for one that fails another comes; but one that has been taken by a job outside before it began is not disturbed.
at 10000s reserve ReservationName=d StartTime=now+600 Duration=1000 Users=user NodeCnt=2 Flags=REPLACE_DOWN
> reservation d
at 10000s submit -N1 -t 5m --runs 300s
> job 11
> at 10000s launch job 11 on n1
at 10001s show reservations
> d INACTIVE from 10600s until 70600s on n[1-2] REPLACE_DOWN
at 10100s show jobs
> 11 main   R   1:40 1 n1
at 10700s submit --reservation d -N1 -t 10m --runs 100s
> at 10300s job 11 COMPLETED
> at 10300s terminate job 11 on n1
> job 12
> at 10700s launch job 12 on n1
at 10701s show reservations
> d ACTIVE from 10600s until 70600s on n[1-2] REPLACE_DOWN
at 10702s admin n2 DOWN "broken"
at 10703s show reservations
> d ACTIVE from 10600s until 70600s on n[1,3] REPLACE_DOWN
at 10703s show jobs
> 12 main   R   0:03 1 n1
at 10900s show jobs
> at 10800s job 12 COMPLETED
> at 10800s terminate job 12 on n1
