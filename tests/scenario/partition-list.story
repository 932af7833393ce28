A job that waits for several partitions is looked at in each, at its place in that one's order: the highest tier first.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=2 RealMemory=1000
PartitionName=lo Nodes=n[1-4] PriorityTier=1 Default=YES DefaultTime=10 MaxTime=60
PartitionName=hi Nodes=n[1-2] PriorityTier=10 DefaultTime=5 MaxTime=30
PartitionName=one Nodes=n[3-4] PriorityTier=5 MaxNodes=1 MaxTime=60
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
The higher tier although it is named last; when that is full the other one.
at 1s submit -p lo,hi -N2 --exclusive --runs 300s
> job 1
> at 1s launch job 1 on n1
at 2s submit -p lo,hi -N2 --exclusive --runs 200s
> job 2
> at 2s launch job 2 on n3
at 3s show jobs
>  1 hi     R   0:02 2 n[1-2]
>  2 lo     R   0:01 2 n[3-4]
Then it waits, and is expected where it can start first.
at 4s submit -p lo,hi -N1 --exclusive --runs 50s
> job 3
at 5s show plan
> 3 at 301s on n1 until 601s in hi
at 5s show jobs
>  1 hi     R   0:04 2 n[1-2]
>  2 lo     R   0:03 2 n[3-4]
>  3 lo     PD  0:00 1 (Resources)
In lo another one is before it, whatever it may do in hi.
at 6s submit -p lo -N1 --exclusive --priority 4294901761 --runs 50s
> job 4
at 6s show priorities
>  3 4294901757: 0.0000 0.1875 1.0000 0.2500 0.5000 0.5000
>  4 4294901761: 0.0000 0.1875 1.0000 0.1250 0.2500 0.2500
>  3 4294901757: 0.0000 0.1875 1.0000 0.1250 0.2500 0.2500
at 7s show plan
> 3 at 301s on n1 until 601s in hi
> 4 at 301s on n2 until 901s
at 210s show jobs
> at 202s job 2 COMPLETED
> at 202s terminate job 2 on n3
> at 202s launch job 4 on n4
> at 202.001s launch job 3 on n3
>  1 hi     R   3:29 2 n[1-2]
>  3 lo     R   0:07 1 n3
>  4 lo     R   0:08 1 n4
at 260s show jobs
> at 252s job 4 COMPLETED
> at 252s terminate job 4 on n4
> at 252.001s job 3 COMPLETED
> at 252.001s terminate job 3 on n3
>  1 hi     R   4:19 2 n[1-2]
at 320s show jobs
> at 301s job 1 COMPLETED
> at 301s terminate job 1 on n1
The list is there again after a requeue.
at 330s submit -p one,hi -N1 -t 40m --exclusive --requeue --runs 100s
> job 5
> at 330s launch job 5 on n3
at 331s show jobs
>  5 one    R   0:01 1 n3
at 332s submit -p hi -N2 --exclusive --priority 4294901761 --runs 100s
> job 6
> at 332s launch job 6 on n1
at 333s requeuehold 5
> at 333s job 5 is requeued
> at 333s terminate job 5 on n3
at 334s show priorities
>  5 0: 0.0000 0.1875 1.0000 0.2500 0.5000 0.5000
>  5 0: 0.0000 0.1875 1.0000 0.2500 0.5000 0.5000
at 336s cancel 5
> at 336s job 5 CANCELLED
at 336s cancel 6
> at 336s job 6 CANCELLED
> at 336s terminate job 6 on n1
Where its limits are too narrow it does not start; elsewhere it does.
at 340s submit -p lo,hi -N1 -t 40m --exclusive --runs 10s
> job 7
> at 340s launch job 7 on n1
at 341s submit -p one,hi -N2 -t 40m --exclusive --runs 10s
> job 8
at 342s show jobs
>  7 lo     R   0:02 1 n1
>  8 one    PD  0:00 2 (PartitionTimeLimit)
at 343s submit -p one,lo -N4 --exclusive --runs 10s
> job 9
at 344s show jobs
>  7 lo     R   0:04 1 n1
>  8 one    PD  0:00 2 (PartitionTimeLimit)
>  9 one    PD  0:00 4 (Resources)
at 360s show jobs
> at 350s job 7 COMPLETED
> at 350s terminate job 7 on n1
> at 350.001s launch job 9 on n1
>  8 one    PD  0:00 2 (PartitionTimeLimit)
>  9 lo     R   0:09 4 n[1-4]
at 399s cancel 8
> at 360.001s job 9 COMPLETED
> at 360.001s terminate job 9 on n1
> at 399s job 8 CANCELLED
Tasks of an array go where there is room, each by itself.
at 400s submit -p lo,hi -N1 --array 1-6 --exclusive --runs 20s
> job 10
> at 400s launch job 11 on n1
> at 400s launch job 12 on n2
> at 400s launch job 13 on n3
> at 400s launch job 14 on n4
at 401s show jobs
> 10_[5-6] lo     PD  0:00 1 (Resources)
> 10_1 hi     R   0:01 1 n1
> 10_2 hi     R   0:01 1 n2
> 10_3 lo     R   0:01 1 n3
> 10_4 lo     R   0:01 1 n4
at 401s show plan
> 10 at 700s on n1 until 1000s in hi
at 450s show jobs
> at 420s job 11 COMPLETED
> at 420s terminate job 11 on n1
> at 420s job 12 COMPLETED
> at 420s terminate job 12 on n2
> at 420s job 13 COMPLETED
> at 420s terminate job 13 on n3
> at 420s job 14 COMPLETED
> at 420s terminate job 14 on n4
> at 420.001s launch job 15 on n1
> at 420.001s launch job 10 on n2
> at 440.001s job 15 COMPLETED
> at 440.001s terminate job 15 on n1
> at 440.001s job 10 COMPLETED
> at 440.001s terminate job 10 on n2
Of a partition that can never serve it it is taken off the list; of none: refused.
at 500s submit -p hi,lo -N3 --exclusive --runs 10s
> job 16
> at 500s launch job 16 on n1
at 501s submit -p hi,one -w n1 --exclusive --runs 10s
> job 17
at 502s submit -p one,hi -w n1,n3 --exclusive --runs 10s
> refused: Requested node configuration is not available
at 503s submit -p lo,nope
> refused: Invalid partition name specified (invalid partition specified: nope)
at 504s submit -p ,
> refused: Invalid partition name specified (invalid partition specified: ,)
at 505s submit -p lo,,lo --runs 10s
> job 18
> at 505s launch job 18 on n4
at 506s show jobs
> 16 lo     R   0:06 3 n[1-3]
> 17 hi     PD  0:00 1 (Resources)
> 18 lo     R   0:01 1 n4
at 520s show jobs
> at 510s job 16 COMPLETED
> at 510s terminate job 16 on n1
> at 510.001s launch job 17 on n1
> at 515s job 18 COMPLETED
> at 515s terminate job 18 on n4
> 17 hi     R   0:09 1 n1
A partition that goes from the configuration goes from the lists.
at 521s submit -p lo -N4 --exclusive --runs 50s
> at 520.001s job 17 COMPLETED
> at 520.001s terminate job 17 on n1
> job 19
> at 521s launch job 19 on n1
at 522s submit -p lo,one -N1 --exclusive --runs 10s
> job 20
at 523s show priorities
> 20 4294901747: 0.0000 0.1875 1.0000 0.2500 0.5000 0.5000
> 20 4294901747: 0.0000 0.1875 1.0000 0.1250 0.2500 0.2500
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=2 RealMemory=1000
PartitionName=lo Nodes=n[1-4] PriorityTier=1 Default=YES DefaultTime=10 MaxTime=60
PartitionName=hi Nodes=n[1-2] PriorityTier=10 DefaultTime=5 MaxTime=30
end
at 524s show priorities
> 20 4294901747: 0.0000 0.1875 1.0000 0.1250 0.2500 0.2500
at 600s show jobs
> at 571s job 19 COMPLETED
> at 571s terminate job 19 on n1
> at 571s launch job 20 on n2
> at 581s job 20 COMPLETED
> at 581s terminate job 20 on n2
