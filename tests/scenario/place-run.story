Neighbours: --contiguous; tasks on many nodes, and on few.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-10] CPUs=4 RealMemory=1000
PartitionName=p Nodes=ALL Default=YES
PartitionName=odd Nodes=n[1,3,5,7,9]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
> at 0s n9 registers
> at 0s n10 registers
The smallest gap that is large enough.
at 0s submit -w n4 -n4 -t 100s
> job 1
> at 0s launch job 1 on n4
at 0s submit -w n7 -n4 -t 200s
> job 2
> at 0s launch job 2 on n7
at 1s submit -N2 --exclusive --contiguous -t 50s
> job 3
> at 1s launch job 3 on n5
at 1s submit -N3 --exclusive --contiguous -t 50s
> job 4
> at 1s launch job 4 on n1
at 2s submit -N3 --exclusive --contiguous -t 50s
> job 5
> at 2s launch job 5 on n8
at 3s submit -N5 --exclusive --contiguous -t 50s
> job 6
at 4s show jobs
>  1 p      R   0:04 1 n4
>  2 p      R   0:04 1 n7
>  3 p      R   0:03 2 n[5-6]
>  4 p      R   0:03 3 n[1-3]
>  5 p      R   0:02 3 n[8-10]
>  6 p      PD  0:00 5 (Resources)
What is kept for 6 are neighbours, n[1-5] when 1 ends: 7 is not in their way.
at 5s submit -w n9 --exclusive --contiguous -t 1000s
> job 7
at 6s show jobs
>  1 p      R   0:06 1 n4
>  2 p      R   0:06 1 n7
>  3 p      R   0:05 2 n[5-6]
>  4 p      R   0:05 3 n[1-3]
>  5 p      R   0:04 3 n[8-10]
>  6 p      PD  0:00 5 (Resources)
>  7 p      PD  0:00 1 (Priority)
at 52s show jobs
> at 51s job 4 TIMEOUT
> at 51s terminate job 4 on n1
> at 51s job 3 TIMEOUT
> at 51s terminate job 3 on n5
> at 52s job 5 TIMEOUT
> at 52s terminate job 5 on n8
> at 52s launch job 7 on n9
>  1 p      R   0:52 1 n4
>  2 p      R   0:52 1 n7
>  5 p      CG  0:50 3 n[8-10]
>  6 p      PD  0:00 5 (Resources)
>  7 p      R   0:00 1 n9
at 102s show jobs
> at 100s job 1 TIMEOUT
> at 100s terminate job 1 on n4
> at 100.001s launch job 6 on n1
>  2 p      R   1:42 1 n7
>  6 p      R   0:01 5 n[1-5]
>  7 p      R   0:50 1 n9
at 103s cancel 1
> refused: Job/step already completing or completed
at 103s cancel 2
> at 103s job 2 CANCELLED
> at 103s terminate job 2 on n7
at 103s cancel 6
> at 103s job 6 CANCELLED
> at 103s terminate job 6 on n1
at 103s cancel 7
> at 103s job 7 CANCELLED
> at 103s terminate job 7 on n9
Named nodes are among them; a range takes what is next to it.
at 200s submit -N4 -w n3,n5 --contiguous --exclusive
> job 8
> at 200s launch job 8 on n2
at 200s show jobs
>  8 p      R   0:00 4 n[2-5]
at 201s submit -N2-9 --contiguous --exclusive
> job 9
> at 201s launch job 9 on n6
at 201s show jobs
>  8 p      R   0:01 4 n[2-5]
>  9 p      R   0:00 5 n[6-10]
at 202s cancel 8
> at 202s job 8 CANCELLED
> at 202s terminate job 8 on n2
at 202s cancel 9
> at 202s job 9 CANCELLED
> at 202s terminate job 9 on n6
at 203s submit -p odd -N2 --contiguous
> refused: Requested node configuration is not available
at 203s submit -n5 --contiguous
> job 10
> at 203s launch job 10 on n1
at 203s show job 10
> job 10 RUNNING Reason=None Priority=4294901750 Restarts=0 RunTime=00:00:00 Nodes=n[1-2] CPUs=5 Exit=0:0
at 204s cancel 10
> at 204s job 10 CANCELLED
> at 204s terminate job 10 on n1
Spread: as many nodes as there are, tasks evenly.
at 300s submit -w n2 -n2
> job 11
> at 300s launch job 11 on n2
at 300s submit -n22 --spread-job
> job 12
> at 300s launch job 12 on n1
at 300s show job 11
> job 11 RUNNING Reason=None Priority=4294901749 Restarts=0 RunTime=00:00:00 Nodes=n2 CPUs=2 Exit=0:0
at 300s show job 12
> job 12 RUNNING Reason=None Priority=4294901748 Restarts=0 RunTime=00:00:00 Nodes=n[1-10] CPUs=22 Exit=0:0
at 301s cancel 12
> at 301s job 12 CANCELLED
> at 301s terminate job 12 on n1
at 301s submit -N2-5 -n10 --spread-job
> job 13
> at 301s launch job 13 on n1
at 301s show job 13
> job 13 RUNNING Reason=None Priority=4294901747 Restarts=0 RunTime=00:00:00 Nodes=n[1-5] CPUs=10 Exit=0:0
at 302s cancel 13
> at 302s job 13 CANCELLED
> at 302s terminate job 13 on n1
at 302s cancel 11
> at 302s job 11 CANCELLED
> at 302s terminate job 11 on n2
Few.
at 400s submit -w n1 -n3
> job 14
> at 400s launch job 14 on n1
at 400s submit -N1-4 -n4
> job 15
> at 400s launch job 15 on n1
at 400s submit -N1-4 -n4 --use-min-nodes
> job 16
> at 400s launch job 16 on n5
at 400s show jobs
> 14 p      R   0:00 1 n1
> 15 p      R   0:00 4 n[1-4]
> 16 p      R   0:00 1 n5
Spread over a range, without tasks: all of its nodes.
at 500s show jobs
> 14 p      R   1:40 1 n1
> 15 p      R   1:40 4 n[1-4]
> 16 p      R   1:40 1 n5
at 500s submit -N2-4 --spread-job
> job 17
> at 500s launch job 17 on n2
at 501s show jobs
> 14 p      R   1:41 1 n1
> 15 p      R   1:41 4 n[1-4]
> 16 p      R   1:41 1 n5
> 17 p      R   0:01 4 n[2-4,6]
