A job whose required node is not configured any more is told which one, has no plan and holds nothing up, until the node is back.
conf
SelectType=select/linear
MaxNodeCount=6
NodeName=n[1-3] CPUs=4
PartitionName=p Nodes=ALL Default=YES
PartitionName=q Nodes=ALL
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s join NodeName=d[4-5] CPUs=4 RealMemory=1000
at 60s submit --hold -w d4 -t 5m --runs 10s
> job 1
at 60s submit --hold -w d[4-5],n1 --array 0-1 -N3 -t 5m --runs 10s
> job 2
at 60s submit --hold -p q,p -w d4 -t 5m --runs 10s
> job 3
at 60s submit --hold -N1 -t 5m --runs 10s : -N1 -w d5 -t 5m
> job 4, with components up to 5
at 60s submit --hold -N1 -x d4,n1 -t 5m --runs 10s
> job 6
at 61s delete d[4-5]
at 62s release 1
at 62s release 2
at 62s release 3
at 62s release 4
at 62s release 5
at 62s release 6
> at 62s launch job 6 on n2
at 63s submit -N3 -t 1h --runs 20s
> job 7
at 64s show jobs
>  1 p      PD  0:00 1 (BadConstraints, UnknownNodes:d4)
> 2_[0-1] p      PD  0:00 3 (BadConstraints, UnknownNodes:d[4-5])
>  3 q      PD  0:00 1 (BadConstraints, UnknownNodes:d4)
>  4 p      PD  0:00 1 (BadConstraints, UnknownNodes:d5)
>  5 p      PD  0:00 1 (BadConstraints, UnknownNodes:d5)
>  6 p      R   0:02 1 n2
>  7 p      PD  0:00 3 (Resources)
at 64s show plan
> 1 is not planned
> 2 is not planned
> 3 is not planned
> 4 is not planned
> 7 at 362s on n[1-3] until 3962s
> 5 is not planned
After a restart of the controller it is the same.
at 65s kill
at 85s show jobs
> at 72s job 6 COMPLETED
> at 72s terminate job 6 on n2
> at 72.001s launch job 7 on n1
>  1 p      PD  0:00 1 (BadConstraints, UnknownNodes:d4)
> 2_[0-1] p      PD  0:00 3 (BadConstraints, UnknownNodes:d[4-5])
>  3 q      PD  0:00 1 (BadConstraints, UnknownNodes:d4)
>  4 p      PD  0:00 1 (BadConstraints, UnknownNodes:d5)
>  5 p      PD  0:00 1 (BadConstraints, UnknownNodes:d5)
>  7 p      R   0:12 3 n[1-3]
at 85s show plan
> 1 is not planned
> 2 is not planned
> 3 is not planned
> 4 is not planned
> 5 is not planned
It asks for others, and the node comes back.
at 86s update owner JobId=3 ReqNodeList=n2
at 87s show jobs
>  1 p      PD  0:00 1 (BadConstraints, UnknownNodes:d4)
> 2_[0-1] p      PD  0:00 3 (BadConstraints, UnknownNodes:d[4-5])
>  3 q      PD  0:00 1 (Resources)
>  4 p      PD  0:00 1 (BadConstraints, UnknownNodes:d5)
>  5 p      PD  0:00 1 (BadConstraints, UnknownNodes:d5)
>  7 p      R   0:14 3 n[1-3]
at 90s join NodeName=d4 CPUs=4 RealMemory=1000
at 130s show jobs
> at 92.001s job 7 COMPLETED
> at 92.001s terminate job 7 on n1
> at 92.001s launch job 3 on n2
> at 102.001s job 3 COMPLETED
> at 102.001s terminate job 3 on n2
> at 110s launch job 1 on d4
> at 120s job 1 COMPLETED
> at 120s terminate job 1 on d4
> 2_[0-1] p      PD  0:00 3 (BadConstraints, UnknownNodes:d5)
>  4 p      PD  0:00 1 (BadConstraints, UnknownNodes:d5)
>  5 p      PD  0:00 1 (BadConstraints, UnknownNodes:d5)
at 140s join NodeName=d5 CPUs=4 RealMemory=1000
at 200s show jobs
> at 160s launch job 8 on n1
> at 170s job 8 COMPLETED
> at 170s terminate job 8 on n1
> at 170.001s launch job 2 on n1
> at 180.001s job 2 COMPLETED
> at 180.001s terminate job 2 on n1
> at 180.001s launch job 4 on n2
> at 190.001s job 4 COMPLETED
> at 190.001s terminate job 4 on n2
> at 190.001s job 5 COMPLETED
