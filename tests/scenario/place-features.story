Features: alternatives that hold for all nodes alike, counts, and what a job would rather have.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-3] CPUs=2 RealMemory=1000 Feature=rack1,x
NodeName=n[4-6] CPUs=2 RealMemory=1000 Feature=rack2
NodeName=n7 CPUs=2 RealMemory=1000 Feature=rack2,rack1,x
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
at 0s submit -N4 --exclusive -C "[rack1|rack2]"
> job 1
> at 0s launch job 1 on n1
at 1s submit -N4 --exclusive -C "[rack1|rack2]"
> job 2
at 2s show jobs
>  1 p      R   0:02 4 n[1-3,7]
>  2 p      PD  0:00 4 (Resources)
at 3s cancel 1
> at 3s job 1 CANCELLED
> at 3s terminate job 1 on n1
> at 3s launch job 2 on n4
at 4s show jobs
>  2 p      R   0:01 4 n[4-7]
at 5s cancel 2
> at 5s job 2 CANCELLED
> at 5s terminate job 2 on n4
A count: two of the four have rack2; the others are the first there are.
at 10s submit -N4 --exclusive -C rack2*2
> job 3
> at 10s launch job 3 on n1
at 10s show jobs
>  3 p      R   0:00 4 n[1-2,4-5]
at 11s cancel 3
> at 11s job 3 CANCELLED
> at 11s terminate job 3 on n1
Multiple counts: the second gets nodes that the first took, as that can have others.
at 20s submit --exclusive -C "[(rack1|rack2)*4&rack1*3]"
> job 4
> at 20s launch job 4 on n1
at 20s show jobs
>  4 p      R   0:00 7 n[1-7]
at 21s submit --exclusive -C "[rack2*1&rack1*4]"
> job 5
at 21s show jobs
>  4 p      R   0:01 7 n[1-7]
>  5 p      PD  0:00 5 (Resources)
at 22s cancel 4
> at 22s job 4 CANCELLED
> at 22s terminate job 4 on n1
at 23s show jobs
> at 22.001s launch job 5 on n1
>  5 p      R   0:00 5 n[1-4,7]
at 24s cancel 5
> at 24s job 5 CANCELLED
> at 24s terminate job 5 on n1
at 25s submit --exclusive -C "[(rack1&x)*1&rack2*1]" -N3
> job 6
> at 25s launch job 6 on n1
at 25s show jobs
>  6 p      R   0:00 3 n[1-2,4]
at 26s cancel 6
> at 26s job 6 CANCELLED
> at 26s terminate job 6 on n1
What can never be, and what has no meaning.
at 30s submit -C "[rack2*5]"
> refused: Requested node configuration is not available
at 30s submit -C "[rack1*4&x*1]"
> refused: Requested node configuration is not available
at 30s submit -N2 -C "[rack1*2&rack2*2]"
> refused: Invalid feature specification (the features are for 4 nodes, more than the 2 of --nodes)
at 30s submit -C "[rack1|nosuch]"
> refused: Invalid feature specification
at 30s submit -C "[rack1&rack2]"
> refused: Invalid feature specification (constraint "[rack1&rack2]": within brackets either each feature has a count or they are joined by |)
Preferred: taken when they are free, and not waited for.
at 40s submit -N4 --exclusive --prefer rack2
> job 7
> at 40s launch job 7 on n4
at 40s submit -N2 --exclusive --prefer rack2
> job 8
> at 40s launch job 8 on n1
at 40s show jobs
>  7 p      R   0:00 4 n[4-7]
>  8 p      R   0:00 2 n[1-2]
at 41s submit -N1 --exclusive -C rack1 --prefer nosuch
> refused: Invalid preferred feature specification
at 41s submit -N1 --exclusive -C rack1 --prefer x
> job 9
> at 41s launch job 9 on n3
at 41s show jobs
>  7 p      R   0:01 4 n[4-7]
>  8 p      R   0:01 2 n[1-2]
>  9 p      R   0:00 1 n3
at 42s cancel 7
> at 42s job 7 CANCELLED
> at 42s terminate job 7 on n4
at 43s submit -N1 --exclusive -C rack1 --prefer rack2
> job 10
> at 43s launch job 10 on n4
at 43s show jobs
>  8 p      R   0:03 2 n[1-2]
>  9 p      R   0:02 1 n3
> 10 p      R   0:00 1 n4
Planned: what is kept for a job is what it could be given.
at 50s cancel 8
> at 50s job 8 CANCELLED
> at 50s terminate job 8 on n1
at 50s cancel 9
> at 50s job 9 CANCELLED
> at 50s terminate job 9 on n3
at 50s cancel 10
> at 50s job 10 CANCELLED
> at 50s terminate job 10 on n4
at 51s submit -w n[1-2] --exclusive -t 1000s
> job 11
> at 51s launch job 11 on n1
at 51s submit -w n[4-5] --exclusive -t 500s
> job 12
> at 51s launch job 12 on n4
at 52s submit -N4 --exclusive -C "[rack1|rack2]" -t 100s
> job 13
at 53s submit -N1 --exclusive -t 400s
> job 14
> at 53s launch job 14 on n3
at 53s submit -N3 --exclusive -t 600s
> job 15
at 54s show jobs
> 11 p      R   0:03 2 n[1-2]
> 12 p      R   0:03 2 n[4-5]
> 13 p      PD  0:00 4 (Resources)
> 14 p      R   0:01 1 n3
> 15 p      PD  0:00 3 (Resources)
at 55s show plan
> 13 at 551s on n[4-7] until 651s
> 15 at 651s on n[3-5] until 1251s
at 552s show jobs
> at 453s job 14 TIMEOUT
> at 453s terminate job 14 on n3
> at 551s job 12 TIMEOUT
> at 551s terminate job 12 on n4
> at 551.001s launch job 13 on n4
> 11 p      R   8:21 2 n[1-2]
> 13 p      R   0:00 4 n[4-7]
> 15 p      PD  0:00 3 (Resources)
