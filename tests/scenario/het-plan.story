conf
NodeName=n[1-6] CPUs=4
PartitionName=a Nodes=n1 Default=YES
PartitionName=b Nodes=n2
PartitionName=c Nodes=n3
PartitionName=d Nodes=n[1-6]
end
Three components could start now, in 2 h and in 1 h: all are planned for 2 h, and start then.
at 0s submit -N1 -p b -t 2h --runs 2h --exclusive
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> job 1
> at 0s launch job 1 on n2
at 0s submit -N1 -p c -t 1h --runs 1h --exclusive
> job 2
> at 0s launch job 2 on n3
at 1s submit -N1 -p a -t 1h --runs 1h --exclusive : -N1 -p b -t 1h --exclusive : -N1 -p c -t 1h --exclusive
> job 3, with components up to 5
at 2s show plan
> 3 at 7200s on n1 until 10800s
> 4 at 7200s on n2 until 10800s
> 5 at 7200s on n3 until 10800s
What is over by then starts before, on the nodes that will be theirs; what is not waits.
at 3s submit -N1 -p a -t 90m --runs 90m --exclusive
> job 6
> at 3s launch job 6 on n1
at 3s submit -N1 -p c -t 150m --runs 10m --exclusive
> job 7
at 4s show plan
> 3 at 7200s on n1 until 10800s
> 7 at 10800s on n3 until 19800s
> 4 at 7200s on n2 until 10800s
> 5 at 7200s on n3 until 10800s
at 4s show jobs
>  1 b      R   0:04 1 n2
>  2 c      R   0:04 1 n3
>  3 a      PD  0:00 1 (Resources)
>  4 b      PD  0:00 1 (Resources)
>  5 c      PD  0:00 1 (Resources)
>  6 a      R   0:01 1 n1
>  7 c      PD  0:00 1 (Priority)
at 7201s show jobs
> at 3600s job 2 COMPLETED
> at 3600s terminate job 2 on n3
> at 5403s job 6 COMPLETED
> at 5403s terminate job 6 on n1
> at 7200s job 1 COMPLETED
> at 7200s terminate job 1 on n2
> at 7200.001s launch job 3 on n1
>  3 a      R   0:00 1 n1
>  4 b      R   0:00 1 n2
>  5 c      R   0:00 1 n3
>  7 c      PD  0:00 1 (Resources)
at 7202s show plan
> 7 at 10800.001s on n3 until 19800.001s
