Which nodes: up before waking before asleep, lower weight first, then node order; features; named and excluded nodes.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=1000
SuspendRate=0
ResumeRate=0
NodeName=n[1-4] CPUs=4 RealMemory=1000 Weight=2 Feature=a,b
NodeName=n[5-6] CPUs=4 RealMemory=1000 Weight=1 Feature=a,c
NodeName=n[7-8] CPUs=4 RealMemory=1000 Weight=1 State=CLOUD Feature=d
PartitionName=p Nodes=ALL Default=YES
PartitionName=whole Nodes=ALL OverSubscribe=EXCLUSIVE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 1s submit -n1 --mem 100
> job 1
> at 1s launch job 1 on n5
at 1s submit -n4 -N1 --mem 100
> job 2
> at 1s launch job 2 on n6
at 1s submit -n4 -N1 --mem 100
> job 3
> at 1s launch job 3 on n1
at 2s show jobs
>  1 p      R   0:01 1 n5
>  2 p      R   0:01 1 n6
>  3 p      R   0:01 1 n1
at 3s cancel 1
> at 3s job 1 CANCELLED
> at 3s terminate job 1 on n5
at 3s cancel 2
> at 3s job 2 CANCELLED
> at 3s terminate job 2 on n6
at 3s cancel 3
> at 3s job 3 CANCELLED
> at 3s terminate job 3 on n1
Features: and, or, parentheses.
at 4s submit -C "a&b" --mem 10
> job 4
> at 4s launch job 4 on n1
at 4s submit -C "c|d" --mem 10
> job 5
> at 4s launch job 5 on n5
at 4s submit -C "(c|d)&d" --mem 10
> job 6
> at 4s resume n7 (job 6: n7)
at 5s show jobs
>  4 p      R   0:01 1 n1
>  5 p      R   0:01 1 n5
>  6 p      CF  0:00 1 n7
at 5s cancel 4
> at 5s job 4 CANCELLED
> at 5s terminate job 4 on n1
at 5s cancel 5
> at 5s job 5 CANCELLED
> at 5s terminate job 5 on n5
at 5s cancel 6
> at 5s job 6 CANCELLED
Tasks are spread evenly; more nodes than needed are not taken.
at 10s submit -N2 -n6 --mem 10
> job 7
> at 10s launch job 7 on n5
at 10s show job 7
> job 7 RUNNING Reason=None Priority=4294901753 Restarts=0 RunTime=00:00:00 Nodes=n[5-6] CPUs=6 Exit=0:0
at 11s submit -n9 --mem 10 -x n5
> job 8
> at 11s launch job 8 on n1
at 11s show job 8
> job 8 RUNNING Reason=None Priority=4294901752 Restarts=0 RunTime=00:00:00 Nodes=n[1-2,6] CPUs=9 Exit=0:0
at 12s submit -w n1 -n1 --mem 10
> job 9
at 12s show jobs
>  7 p      R   0:02 2 n[5-6]
>  8 p      R   0:01 3 n[1-2,6]
>  9 p      PD  0:00 1 (Resources)
at 13s cancel 7
> at 13s job 7 CANCELLED
> at 13s terminate job 7 on n5
at 13s cancel 8
> at 13s job 8 CANCELLED
> at 13s terminate job 8 on n1
at 13s cancel 9
> at 13s job 9 CANCELLED
Memory is never promised twice; a job without any wants all of it.
at 20s submit -w n1 -n1 --mem 600
> job 10
> at 20s launch job 10 on n1
at 20s submit -w n1 -n1 --mem 600
> job 11
at 20s submit -w n1 -n1 --mem 400
> job 12
> at 20s launch job 12 on n1
at 20s submit -w n2 -n1 --mem-per-cpu 300
> job 13
> at 20s launch job 13 on n2
at 20s submit -w n2 -n3 --mem-per-cpu 300
> job 14
> at 20s launch job 14 on n2
at 20s submit -w n3 -n1
> job 15
> at 20s launch job 15 on n3
at 20s submit -w n3 -n1 --mem 1
> job 16
at 21s show jobs
> 10 p      R   0:01 1 n1
> 11 p      PD  0:00 1 (Resources)
> 12 p      R   0:01 1 n1
> 13 p      R   0:01 1 n2
> 14 p      R   0:01 2 n[2,5]
> 15 p      R   0:01 1 n3
> 16 p      PD  0:00 1 (Resources)
at 22s cancel 10
> at 22s job 10 CANCELLED
> at 22s terminate job 10 on n1
at 22s cancel 12
> at 22s job 12 CANCELLED
> at 22s terminate job 12 on n1
at 22s cancel 13
> at 22s job 13 CANCELLED
> at 22s terminate job 13 on n2
at 22s cancel 15
> at 22s job 15 CANCELLED
> at 22s terminate job 15 on n3
at 23s show jobs
> at 22.001s launch job 11 on n1
> at 22.001s launch job 16 on n3
> 11 p      R   0:00 1 n1
> 14 p      R   0:03 2 n[2,5]
> 16 p      R   0:00 1 n3
at 24s cancel 11
> at 24s job 11 CANCELLED
> at 24s terminate job 11 on n1
at 24s cancel 14
> at 24s job 14 CANCELLED
> at 24s terminate job 14 on n2
at 24s cancel 16
> at 24s job 16 CANCELLED
> at 24s terminate job 16 on n3
Whole nodes.
at 30s submit -w n1 -n1 --mem 10
> job 17
> at 30s launch job 17 on n1
at 30s submit -p whole -w n1 -n1 --mem 10
> job 18
at 30s submit -w n2 -n1 --exclusive --mem 10
> job 19
> at 30s launch job 19 on n2
at 30s submit -w n2 -n1 --mem 10
> job 20
at 31s show jobs
> 17 p      R   0:01 1 n1
> 18 whole  PD  0:00 1 (Resources)
> 19 p      R   0:01 1 n2
> 20 p      PD  0:00 1 (Resources)
at 32s cancel 17
> at 32s job 17 CANCELLED
> at 32s terminate job 17 on n1
at 33s show jobs
> at 32.001s launch job 18 on n1
> 18 whole  R   0:00 1 n1
> 19 p      R   0:03 1 n2
> 20 p      PD  0:00 1 (Resources)
Up before waking: n7 has booted for the job that was cancelled.
at 40s submit -N6 -n6 -x n7,n8 --exclusive --mem 10
> job 21
at 41s cancel 18
> at 41s job 18 CANCELLED
> at 41s terminate job 18 on n1
at 41s cancel 19
> at 41s job 19 CANCELLED
> at 41s terminate job 19 on n2
at 41s cancel 20
> at 41s job 20 CANCELLED
at 42s submit -w n8 -n1 --mem 10 --runs 100s
> at 41.001s launch job 21 on n1
> job 22
> at 42s resume n8 (job 22: n8)
at 43s submit -n1 --mem 10 --runs 100s
> job 23
> at 43s launch job 23 on n7
at 44s show jobs
> 21 p      R   0:02 6 n[1-6]
> 22 p      CF  0:00 1 n8
> 23 p      R   0:01 1 n7
