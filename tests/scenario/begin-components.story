A component that begins later keeps no nodes for its job until it may begin, as a job with a begin time does.
conf
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 0s submit -N3 --exclusive -t 1h --runs 10s : --begin 600s -N3 --exclusive -t 1h
> job 1, with components up to 2
at 0s submit --begin 600s -N3 --exclusive -t 1h --runs 10s : -N3 --exclusive -t 1h
> job 3, with components up to 4
at 1s submit -N6 --exclusive -t 20m --runs 15m
> job 5
> at 1s launch job 5 on n1
at 2s show jobs
>  1 p      PD  0:00 3 (BeginTime)
>  2 p      PD  0:00 3 (BeginTime)
>  3 p      PD  0:00 3 (BeginTime)
>  4 p      PD  0:00 3 (BeginTime)
>  5 p      R   0:01 6 n[1-6]
at 2s show plan
> 1 is not planned
> 3 is not planned
> 2 is not planned
> 4 is not planned
at 600s submit -N6 --exclusive -t 20m --runs 5s
> job 6
at 602s show plan
> 1 at 1201s on n[1-3] until 4801s
> 3 at 4801s on n[1-3] until 8401s
> 6 at 8401s on n[1-6] until 9601s
> 2 at 1201s on n[4-6] until 4801s
> 4 at 4801s on n[4-6] until 8401s
at 1000s show jobs
> at 901s job 5 COMPLETED
> at 901s terminate job 5 on n1
> at 901.001s launch job 1 on n1
> at 911.001s job 1 COMPLETED
> at 911.001s terminate job 1 on n1
> at 911.001s job 2 COMPLETED
> at 911.002s launch job 3 on n1
> at 921.002s job 3 COMPLETED
> at 921.002s terminate job 3 on n1
> at 921.002s job 4 COMPLETED
> at 921.003s launch job 6 on n1
> at 926.003s job 6 COMPLETED
> at 926.003s terminate job 6 on n1
