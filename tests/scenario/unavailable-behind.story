A job that waits behind others for a node that is out of service is told of that, and of the others when it is back.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-3] CPUs=2
PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE
end
at 0s submit -w n3 -n2 -t 10m --runs 60s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> job 1
> at 0s launch job 1 on n3
at 1s submit -N3 -n6 -t 10m --runs 10s
> job 2
at 2s admin n1 drain broken
at 3s submit -w n1 -t 10m --runs 10s
> job 3
at 3s submit -w n[1-2] -t 10m --runs 10s
> job 4
at 3s submit -w n2 -t 10m --runs 10s
> job 5
> at 3s launch job 5 on n2
at 4s show jobs
>  1 main   R   0:04 1 n3
>  2 main   PD  0:00 3 (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
>  3 main   PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
>  4 main   PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
>  5 main   R   0:01 1 n2
at 5s admin n1 resume
at 6s show jobs
>  1 main   R   0:06 1 n3
>  2 main   PD  0:00 3 (Resources)
>  3 main   PD  0:00 1 (Priority)
>  4 main   PD  0:00 1 (Priority)
>  5 main   R   0:03 1 n2
