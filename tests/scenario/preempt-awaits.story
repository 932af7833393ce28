A job of several partitions that has stopped others by one of them waits for them, and starts there: not in vain for them, and not where
it may be stopped itself.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=n[1-3] PriorityTier=5
PartitionName=r Nodes=n[1-3] GraceTime=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
At once, where no victim has a grace time: there is room in p, too.
at 1s submit -p p -N3 --exclusive -w n[1-3] -t 600s
> job 1
> at 1s launch job 1 on n1
at 2s submit -p p,q -N2 --exclusive -t 600s
> job 2
> at 2s job 1 is requeued
> at 2s terminate job 1 on n1
> at 2s launch job 2 on n2
at 3s show jobs
>  1 p      PD  0:00 3 (Resources)
>  2 q      R   0:01 2 n[2-3]

Two of the kind do not stop each other in turn, nor does the second take what is planned for the victim.
at 4s submit -p p,q -N2 --exclusive -t 600s
> job 3
> at 4s launch job 3 on n4
at 5s show jobs
>  1 p      PD  0:00 3 (Resources)
>  2 q      R   0:03 2 n[2-3]
>  3 p      R   0:01 2 n[4-5]
at 6s cancel 1
> at 6s job 1 CANCELLED
at 6s cancel 2
> at 6s job 2 CANCELLED
> at 6s terminate job 2 on n2
at 6s cancel 3
> at 6s job 3 CANCELLED
> at 6s terminate job 3 on n4

What becomes free meanwhile does not make it vain either.
at 20s submit -p r -N3 --exclusive -t 600s
> job 4
> at 20s launch job 4 on n1
at 20s submit -p p -N3 --exclusive -t 600s
> job 5
> at 20s launch job 5 on n4
at 21s submit -p p,q -N2 --exclusive -t 600s
> job 6
> at 21s signal job 4 on n1
> at 21s signal job 4 on n1
at 22s show jobs
>  4 r      R   0:02 3 n[1-3]
>  5 p      R   0:02 3 n[4-6]
>  6 p      PD  0:00 2 (Resources)
at 25s cancel 5
> at 25s job 5 CANCELLED
> at 25s terminate job 5 on n4
at 26s show jobs
>  4 r      R   0:06 3 n[1-3]
>  6 p      PD  0:00 2 (Resources)
at 35s show jobs
> at 31s job 4 is requeued
> at 31s terminate job 4 on n1
> at 31s launch job 6 on n2
>  4 r      PD  0:00 3 (Resources)
>  6 q      R   0:04 2 n[2-3]

Of an array so many tasks wait as others have been stopped for; the others start where there is room.
at 50s cancel 4
> at 50s job 4 CANCELLED
at 50s cancel 6
> at 50s job 6 CANCELLED
> at 50s terminate job 6 on n2
at 60s submit -p r -N3 --exclusive -t 600s
> job 7
> at 60s launch job 7 on n1
at 61s submit -p p,q -N1 --exclusive -t 600s --array 0-4
> job 8
> at 61s signal job 7 on n1
> at 61s signal job 7 on n1
> at 61s launch job 9 on n4
> at 61s launch job 10 on n5
> at 61s launch job 11 on n6
at 62s show jobs
>  7 r      R   0:02 3 n[1-3]
> 8_[3-4] p      PD  0:00 1 (Resources)
> 8_0 p      R   0:01 1 n4
> 8_1 p      R   0:01 1 n5
> 8_2 p      R   0:01 1 n6
at 75s show jobs
> at 71s job 7 is requeued
> at 71s terminate job 7 on n1
> at 71s launch job 12 on n2
> at 71s launch job 8 on n3
>  7 r      PD  0:00 3 (Resources)
> 8_4 q      R   0:04 1 n3
> 8_0 p      R   0:14 1 n4
> 8_1 p      R   0:14 1 n5
> 8_2 p      R   0:14 1 n6
> 8_3 q      R   0:04 1 n2

Also after a reconfiguration, which forgets which nodes are kept for which job, while the others have their grace time.
at 100s cancel 7
> at 100s job 7 CANCELLED
at 100s cancel 8
> at 100s job 8 CANCELLED
> at 100s terminate job 8 on n3
at 100s cancel 9
> at 100s job 9 CANCELLED
> at 100s terminate job 9 on n4
at 100s cancel 10
> at 100s job 10 CANCELLED
> at 100s terminate job 10 on n5
at 100s cancel 11
> at 100s job 11 CANCELLED
> at 100s terminate job 11 on n6
at 100s cancel 12
> at 100s job 12 CANCELLED
> at 100s terminate job 12 on n2
at 110s submit -p r -N3 --exclusive -t 600s
> job 13
> at 110s launch job 13 on n1
at 110s submit -p p -N3 --exclusive -t 600s
> job 14
> at 110s launch job 14 on n4
at 111s submit -p p,q -N2 --exclusive -t 600s
> job 15
> at 111s signal job 13 on n1
> at 111s signal job 13 on n1
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1-0
PartitionName=q Nodes=n[1-3] PriorityTier=5
PartitionName=r Nodes=n[1-3] GraceTime=10
end
at 114s cancel 14
> at 114s job 14 CANCELLED
> at 114s terminate job 14 on n4
at 115s show jobs
> 13 r      R   0:05 3 n[1-3]
> 15 p      PD  0:00 2 (Resources)
at 125s show jobs
> at 121s job 13 is requeued
> at 121s terminate job 13 on n1
> at 121s launch job 15 on n2
> 13 r      PD  0:00 3 (Resources)
> 15 q      R   0:04 2 n[2-3]

Of an array each task waits for its own.
at 126s cancel 13
> at 126s job 13 CANCELLED
at 126s cancel 15
> at 126s job 15 CANCELLED
> at 126s terminate job 15 on n2
at 130s submit -p r -N1 --exclusive -w n1 -t 600s
> job 16
> at 130s launch job 16 on n1
at 130s submit -p r -N1 --exclusive -w n2 -t 600s
> job 17
> at 130s launch job 17 on n2
at 130s submit -p r -N1 --exclusive -w n3 -t 600s
> job 18
> at 130s launch job 18 on n3
at 130s submit -p p -N3 --exclusive -t 600s
> job 19
> at 130s launch job 19 on n4
at 131s submit -p p,q -N1 --exclusive -t 600s --array 0-2
> job 20
> at 131s signal job 16 on n1
> at 131s signal job 16 on n1
> at 131s signal job 17 on n2
> at 131s signal job 17 on n2
> at 131s signal job 18 on n3
> at 131s signal job 18 on n3
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1-0
PartitionName=q Nodes=n[1-3] PriorityTier=5
PartitionName=r Nodes=n[1-3] GraceTime=10
end
at 133s cancel 19
> at 133s job 19 CANCELLED
> at 133s terminate job 19 on n4
at 134s show jobs
> 16 r      R   0:04 1 n1
> 17 r      R   0:04 1 n2
> 18 r      R   0:04 1 n3
> 20_[0-2] p      PD  0:00 1 (Resources)
at 145s show jobs
> at 141s job 16 is requeued
> at 141s terminate job 16 on n1
> at 141s job 17 is requeued
> at 141s terminate job 17 on n2
> at 141s job 18 is requeued
> at 141s terminate job 18 on n3
> at 141.001s launch job 21 on n1
> at 141.001s launch job 22 on n2
> at 141.001s launch job 20 on n3
> 16 r      PD  0:00 1 (Resources)
> 17 r      PD  0:00 1 (Resources)
> 18 r      PD  0:00 1 (Resources)
> 20_2 q      R   0:03 1 n3
> 20_0 q      R   0:03 1 n1
> 20_1 q      R   0:03 1 n2
