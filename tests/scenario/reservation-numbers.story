A reservation of cores (CoreCnt) on a node divides its cores, and the plan counts what is free of each part over time: a job that needs some cores waits for those alone, and none behind it delays it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n1 CPUs=4 RealMemory=1000
PartitionName=p Nodes=ALL Default=YES DefMemPerCPU=10
end
A reservation in a week.  1 runs for its time, 2 for a minute at most: 3 needs what 2 leaves, and has it although smaller ones come.
at 0s hush agents
> at 0s n1 registers
at 1s reserve ReservationName=week StartTime=now+604800 Duration=60 Users=user Nodes=n1 CoreCnt=2
> reservation week
at 1s submit -n1 -c1 -t 10000m
> job 1
> at 1s launch job 1 on n1
at 1s submit -n1 -c2 -t 60s --runs 12s
> job 2
> at 1s launch job 2 on n1
at 2s submit -n1 -c3 -t 300s --runs 30s
> job 3
at 4s submit -n1 -c1 -t 1h --runs 1000s
> job 4
at 4s submit -n1 -c1 -t 57s --runs 5s
> job 5
> at 4s launch job 5 on n1
at 4s submit -n1 -c1 -t 1h --runs 1000s
> job 6
at 4s submit -n1 -c1 -t 1h --runs 1000s
> job 7
at 5s show plan
> 3 at 61s on n1 until 361s
> 4 at 361s on n1 until 3961s
> 6 at 361s on n1 until 3961s
> 7 at 361s on n1 until 3961s
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:04 1 n1
>  3 p      PD  0:00 1 (Resources)
>  4 p      PD  0:00 1 (Priority)
>  5 p      R   0:01 1 n1
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 1 (Priority)
at 2000s show jobs
> at 9s job 5 COMPLETED
> at 9s terminate job 5 on n1
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n1
> at 13.001s launch job 3 on n1
> at 43.001s job 3 COMPLETED
> at 43.001s terminate job 3 on n1
> at 43.002s launch job 4 on n1
> at 43.002s launch job 6 on n1
> at 43.002s launch job 7 on n1
> at 1043.002s job 4 COMPLETED
> at 1043.002s terminate job 4 on n1
> at 1043.002s job 6 COMPLETED
> at 1043.002s terminate job 6 on n1
> at 1043.002s job 7 COMPLETED
> at 1043.002s terminate job 7 on n1
>  1 p      R  33:19 1 n1
at 2001s cancel 1
> at 2001s job 1 CANCELLED
> at 2001s terminate job 1 on n1
at 2001s unreserve week
Inside and outside of one that is active: two of each run beside each other, and the first that waits of each is delayed by none.
at 3000s reserve ReservationName=r StartTime=now Duration=100 Users=user Nodes=n1 CoreCnt=2
> reservation r
at 3001s submit --reservation r -n1 -t 10m --runs 600s
> job 8
> at 3001s launch job 8 on n1
at 3001s submit --reservation r -n1 -t 20m --runs 1200s
> job 9
> at 3001s launch job 9 on n1
at 3001s submit -n1 -t 5m --runs 300s
> job 10
> at 3001s launch job 10 on n1
at 3001s submit -n1 -t 40m --runs 2400s
> job 11
> at 3001s launch job 11 on n1
at 3002s submit --reservation r -n2 -t 10m --runs 60s
> job 12
at 3002s submit -n2 -t 10m --runs 60s
> job 13
at 3003s submit --reservation r -n1 -t 9m --runs 500s
> job 14
at 3003s submit --reservation r -n1 -t 30m --runs 100s
> job 15
at 3003s submit -n1 -t 4m --runs 200s
> job 16
at 3003s submit -n1 -t 34m --runs 2000s
> job 17
at 3003s submit -n1 -t 37m --runs 100s
> job 18
at 3004s show plan
> 12 at 4201s on n1 until 4801s
> 13 at 5401s on n1 until 6001s
> 14 at 3601s on n1 until 4141s
> 15 at 4801s on n1 until 6601s
> 16 at 3301s on n1 until 3541s
> 17 at 6001s on n1 until 8041s
> 18 at 6001s on n1 until 8221s
at 3700s show plan
> at 3301s job 10 COMPLETED
> at 3301s terminate job 10 on n1
> at 3301.001s launch job 16 on n1
> at 3501.001s job 16 COMPLETED
> at 3501.001s terminate job 16 on n1
> at 3601s job 8 COMPLETED
> at 3601s terminate job 8 on n1
> at 3601.001s launch job 14 on n1
> 12 at 4201s on n1 until 4801s
> 13 at 5401s on n1 until 6001s
> 15 at 4801s on n1 until 6601s
> 17 at 6001s on n1 until 8041s
> 18 at 6001s on n1 until 8221s
at 3700s show jobs
>  9 p      R  11:39 1 n1
> 11 p      R  11:39 1 n1
> 12 p      PD  0:00 1 (Resources)
> 13 p      PD  0:00 1 (Resources)
> 14 p      R   1:38 1 n1
> 15 p      PD  0:00 1 (Priority)
> 17 p      PD  0:00 1 (Priority)
> 18 p      PD  0:00 1 (Priority)
at 9000s show jobs
> at 4101.001s job 14 COMPLETED
> at 4101.001s terminate job 14 on n1
> at 4201s job 9 COMPLETED
> at 4201s terminate job 9 on n1
> at 4201.001s launch job 12 on n1
> at 4261.001s job 12 COMPLETED
> at 4261.001s terminate job 12 on n1
> at 4261.002s launch job 15 on n1
> at 4361.002s job 15 COMPLETED
> at 4361.002s terminate job 15 on n1
> at 5401s job 11 COMPLETED
> at 5401s terminate job 11 on n1
> at 5401.001s launch job 13 on n1
> at 5461.001s job 13 COMPLETED
> at 5461.001s terminate job 13 on n1
> at 5461.002s launch job 17 on n1
> at 5461.002s launch job 18 on n1
> at 5561.002s job 18 COMPLETED
> at 5561.002s terminate job 18 on n1
> at 7461.002s job 17 COMPLETED
> at 7461.002s terminate job 17 on n1
One that is to begin: what ends before may have its cores, what does not has the others; and what needs more waits for its end.
at 10000s reserve ReservationName=s StartTime=now+600 Duration=10 Users=user Nodes=n1 CoreCnt=3
> reservation s
at 10000s submit -n2 -t 5m --runs 300s
> job 19
> at 10000s launch job 19 on n1
at 10001s submit -n1 -t 30m --runs 1000s
> job 20
> at 10001s launch job 20 on n1
at 10001s submit -n1 -t 30m --runs 1000s
> job 21
at 10001s submit -n2 -t 9m --runs 60s
> job 22
at 10001s submit -n3 -t 10m --runs 60s
> job 23
at 10001s submit --reservation s -n2 -t 5m --runs 100s
> job 24
at 10001s submit --reservation s -n1 -t 5m --runs 100s
> job 25
at 10001s submit -n1 -t 4m --runs 100s
> job 26
> at 10001s launch job 26 on n1
at 10002s show plan
> 21 at 11200s on n1 until 13000s
> 22 at 11200s on n1 until 11740s
> 23 at 11801s on n1 until 12401s
> 24 at 10600s on n1 until 10900s
> 25 at 10600s on n1 until 10900s
at 20000s show jobs
> at 10101s job 26 COMPLETED
> at 10101s terminate job 26 on n1
> at 10300s job 19 COMPLETED
> at 10300s terminate job 19 on n1
> at 10600s launch job 24 on n1
> at 10600s launch job 25 on n1
> at 10700s job 24 COMPLETED
> at 10700s terminate job 24 on n1
> at 10700s job 25 COMPLETED
> at 10700s terminate job 25 on n1
> at 11001s job 20 COMPLETED
> at 11001s terminate job 20 on n1
> at 11001.001s launch job 21 on n1
> at 11200s launch job 22 on n1
> at 11260s job 22 COMPLETED
> at 11260s terminate job 22 on n1
> at 11260.001s launch job 23 on n1
> at 11320.001s job 23 COMPLETED
> at 11320.001s terminate job 23 on n1
> at 12001.001s job 21 COMPLETED
> at 12001.001s terminate job 21 on n1
Memory is of both sides.
at 30000s reserve ReservationName=m StartTime=now Duration=100 Users=user Nodes=n1 CoreCnt=2
> reservation m
at 30000s submit --reservation m -n1 --mem 600 -t 10m --runs 600s
> job 27
> at 30000s launch job 27 on n1
at 30001s submit -n1 --mem 500 -t 10m --runs 100s
> job 28
at 30002s submit --reservation m -n1 --mem 400 -t 9m --runs 100s
> job 29
> at 30002s launch job 29 on n1
at 30002s submit --reservation m -n1 --mem 400 -t 20m --runs 1000s
> job 30
at 30002s submit -n1 --mem 600 -t 20m --runs 1000s
> job 31
at 30003s show plan
> 28 at 30600s on n1 until 31200s
> 30 at 30542s on n1 until 31742s
> 31 at 31200s on n1 until 32400s
at 40000s show jobs
> at 30102s job 29 COMPLETED
> at 30102s terminate job 29 on n1
> at 30102.001s launch job 30 on n1
> at 30600s job 27 COMPLETED
> at 30600s terminate job 27 on n1
> at 30600.001s launch job 28 on n1
> at 30700.001s job 28 COMPLETED
> at 30700.001s terminate job 28 on n1
> at 30700.002s launch job 31 on n1
> at 31102.001s job 30 COMPLETED
> at 31102.001s terminate job 30 on n1
> at 31700.002s job 31 COMPLETED
> at 31700.002s terminate job 31 on n1
