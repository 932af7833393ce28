Which causes of waiting keep nodes: for each a job X that waits, and a longer one behind it that starts if X keeps none (docs/states.md).
conf
SelectType=select/linear
AccountingStorageEnforce=limits,qos
Licenses=lic:1
NodeName=n[1-3] CPUs=4
PartitionName=p Nodes=n[1-3] Default=YES
PartitionName=down Nodes=n[1-3] State=DOWN
PartitionName=one Nodes=n[1-3] MaxNodes=1
PartitionName=brief Nodes=n[1-3] MaxTime=1
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s sacctmgr add account a
at 0s sacctmgr add user user account=a
at 0s sacctmgr add qos q set grptres=node=1
at 0s sacctmgr modify user user set qos=normal,q
Its nodes are busy: they are kept, and the longer one waits.
at 1s submit -N1 -w n1 -t 10m --runs 60s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N3 -t 10m --runs 1s
> job 2
at 1s submit -N2 -t 1h --runs 20s
> job 3
at 2s show jobs
>  1 p      R   0:01 1 n1
>  2 p      PD  0:00 3 (Resources)
>  3 p      PD  0:00 2 (Priority)
at 100s show jobs
> at 61s job 1 COMPLETED
> at 61s terminate job 1 on n1
> at 61.001s launch job 2 on n1
> at 62.001s job 2 COMPLETED
> at 62.001s terminate job 2 on n1
> at 62.001s launch job 3 on n2
> at 82.001s job 3 COMPLETED
> at 82.001s terminate job 3 on n2
Held, of a later time, dependent.
at 100s submit -N1 -w n1 -t 10m --runs 40s
> job 4
> at 100s launch job 4 on n1
at 100s submit -N2 -t 10m --hold
> job 5
at 100s submit -N2 -t 10m --begin 150s
> job 6
at 100s submit -N2 -t 10m -d afterany:4
> job 7
at 101s submit -N2 -t 1h --runs 20s
> job 8
> at 101s launch job 8 on n2
at 102s show jobs
>  4 p      R   0:02 1 n1
>  5 p      PD  0:00 2 (JobHeldUser)
>  6 p      PD  0:00 2 (BeginTime)
>  7 p      PD  0:00 2 (Dependency)
>  8 p      R   0:01 2 n[2-3]
at 102s show plan
> 6 is not planned
> 7 is not planned
> 5 is not planned
at 102s cancel 5
> at 102s job 5 CANCELLED
at 102s cancel 6
> at 102s job 6 CANCELLED
at 102s cancel 7
> at 102s job 7 CANCELLED
The partition: down, a limit of nodes, of time.
at 150s submit -N1 -w n1 -t 10m --runs 40s
> at 121s job 8 COMPLETED
> at 121s terminate job 8 on n2
> at 140s job 4 COMPLETED
> at 140s terminate job 4 on n1
> job 9
> at 150s launch job 9 on n1
at 150s submit -p down -N2 -t 10m
> job 10
at 150s submit -p one -N2 -t 10m
> job 11
at 150s submit -p brief -N2 -t 10m
> job 12
at 151s submit -N2 -t 1h --runs 20s
> job 13
> at 151s launch job 13 on n2
at 152s show jobs
>  9 p      R   0:02 1 n1
> 10 down   PD  0:00 2 (PartitionDown)
> 11 one    PD  0:00 2 (PartitionNodeLimit)
> 12 brief  PD  0:00 2 (PartitionTimeLimit)
> 13 p      R   0:01 2 n[2-3]
at 152s show plan
> 10 is not planned
> 11 is not planned
> 12 is not planned
at 152s cancel 10
> at 152s job 10 CANCELLED
at 152s cancel 11
> at 152s job 11 CANCELLED
at 152s cancel 12
> at 152s job 12 CANCELLED
A limit of a QOS, and of an array.
at 200s submit -N1 -w n1 -t 10m -q q --runs 40s
> at 171s job 13 COMPLETED
> at 171s terminate job 13 on n2
> at 190s job 9 COMPLETED
> at 190s terminate job 9 on n1
> job 14
> at 200s launch job 14 on n1
at 200s submit -N1 -t 10m -q q --runs 1s
> job 15
at 200s submit -N1 -t 10m --array 0-3%1 --runs 30s
> job 16
> at 200s launch job 17 on n2
at 201s submit -N1 -t 1h --runs 20s
> job 18
> at 201s launch job 18 on n3
at 202s show jobs
> 14 p      R   0:02 1 n1
> 15 p      PD  0:00 1 (QOSGrpNodeLimit)
> 16_[1-3] p      PD  0:00 1 (JobArrayTaskLimit)
> 16_0 p      R   0:02 1 n2
> 18 p      R   0:01 1 n3
at 202s show plan
> 15 is not planned
> 16 is not planned
at 300s show jobs
> at 221s job 18 COMPLETED
> at 221s terminate job 18 on n3
> at 230s job 17 COMPLETED
> at 230s terminate job 17 on n2
> at 230.001s launch job 19 on n2
> at 240s job 14 COMPLETED
> at 240s terminate job 14 on n1
> at 240s launch job 15 on n3
> at 241s job 15 COMPLETED
> at 241s terminate job 15 on n3
> at 260.001s job 19 COMPLETED
> at 260.001s terminate job 19 on n2
> at 260.002s launch job 20 on n1
> at 290.002s job 20 COMPLETED
> at 290.002s terminate job 20 on n1
> at 290.003s launch job 16 on n1
> 16_3 p      R   0:09 1 n1
at 300s cancel 16
> at 300s job 16 CANCELLED
> at 300s terminate job 16 on n1
Nodes out of service: one that it names, or too few for it.
at 400s admin n2 DRAIN work
at 401s submit -w n[1-2] -N2 -t 10m
> job 21
at 401s submit -N3 -t 10m
> job 22
at 402s submit -N2 -t 1h --runs 20s
> job 23
> at 402s launch job 23 on n1
at 403s show jobs
> 21 p      PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n2)
> 22 p      PD  0:00 3 (Resources)
> 23 p      R   0:01 2 n[1,3]
at 403s show plan
> 21 is not planned
> 22 is not planned
at 403s admin n2 UNDRAIN
at 450s show jobs
> at 422s job 23 COMPLETED
> at 422s terminate job 23 on n1
> at 422.001s launch job 21 on n1
> 21 p      R   0:27 2 n[1-2]
> 22 p      PD  0:00 3 (Resources)
at 451s cancel 21
> at 451s job 21 CANCELLED
> at 451s terminate job 21 on n1
at 451s cancel 22
> at 451s job 22 CANCELLED
A reservation that has not begun keeps its own nodes, and the job that waits for it no others; nor does one that is larger than it.
at 500s reserve ReservationName=r StartTime=now+100 Duration=10 Nodes=n1 Users=user
> reservation r
at 501s submit --reservation r -N1 -t 5m --runs 5s
> job 24
at 501s submit --reservation r -N2 -t 5m
> job 25
at 502s submit -N2 -t 1h --runs 20s
> job 26
> at 502s launch job 26 on n2
at 503s show jobs
> 24 p      PD  0:00 1 (Reservation)
> 25 p      PD  0:00 2 (Reservation)
> 26 p      R   0:01 2 n[2-3]
at 503s show plan
> 24 at 600s on n1 until 900s
> 25 is not planned
at 601s show jobs
> at 522s job 26 COMPLETED
> at 522s terminate job 26 on n2
> at 600s launch job 24 on n1
> 24 p      R   0:01 1 n1
> 25 p      PD  0:00 2 (Resources)
at 601s cancel 25
> at 601s job 25 CANCELLED
A license: nodes are kept from when the license is free, and not before.
at 602s submit -N1 -w n3 -t 10m -L lic:1 --runs 100s
> job 27
> at 602s launch job 27 on n3
at 603s submit -N2 -w n[2-3] -t 10m -L lic:1 --runs 1s
> job 28
at 604s submit -N1 -w n2 -t 1h --runs 1s
> job 29
at 604s submit -N1 -w n2 -t 5m --runs 1s
> job 30
> at 604s launch job 30 on n2
at 605s show jobs
> at 605s job 24 COMPLETED
> at 605s terminate job 24 on n1
> at 605s job 30 COMPLETED
> at 605s terminate job 30 on n2
> 24 p      CG  0:05 1 n1
> 27 p      R   0:03 1 n3
> 28 p      PD  0:00 2 (Licenses)
> 29 p      PD  0:00 1 (Resources)
> 30 p      CG  0:01 1 n2
at 605s show plan
> 28 at 1202s on n[2-3] until 1802s
> 29 at 1802s on n2 until 5402s
