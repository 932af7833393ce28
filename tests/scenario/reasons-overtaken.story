A job that waits for Resources shows it when another has got before it: a more urgent submission, scontrol top, a new priority.
conf
SelectType=select/linear
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=n[1-4] Default=YES
PartitionName=q Nodes=n[1-4] Default=YES
end
at 0s submit -N4 -p p -t 60m
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1
> at 0s launch job 1 on n1
at 1s submit -N3 -p p -t 10m
> job 2
at 2s submit -N2 -p p -t 10m
> job 3
at 3s submit -N1 -p p -t 5m
> job 4
at 4s show jobs
>  1 p      R   0:04 4 n[1-4]
>  2 p      PD  0:00 3 (Resources)
>  3 p      PD  0:00 2 (Priority)
>  4 p      PD  0:00 1 (Priority)
at 5s top 4
at 6s show jobs
>  1 p      R   0:06 4 n[1-4]
>  2 p      PD  0:00 3 (Priority)
>  3 p      PD  0:00 2 (Priority)
>  4 p      PD  0:00 1 (Resources)
at 7s submit -N4 -p p --priority 4294910000 -t 10m
> job 5
at 8s show jobs
>  1 p      R   0:08 4 n[1-4]
>  2 p      PD  0:00 3 (Priority)
>  3 p      PD  0:00 2 (Priority)
>  4 p      PD  0:00 1 (Priority)
>  5 p      PD  0:00 4 (Resources)
at 9s hold 5
at 10s show jobs
>  1 p      R   0:10 4 n[1-4]
>  2 p      PD  0:00 3 (Priority)
>  3 p      PD  0:00 2 (Priority)
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 4 (JobHeldAdmin)
at 11s release 5
at 12s show jobs
>  1 p      R   0:12 4 n[1-4]
>  2 p      PD  0:00 3 (Priority)
>  3 p      PD  0:00 2 (Priority)
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 4 (Priority)
A job that waits behind others is told of nodes that are out of service, if there are not enough for it without those.
at 20s admin n[1-3] DRAIN work
at 21s submit -N1 -p p
> job 6
at 22s submit -N2 -p p
> job 7
at 23s show jobs
>  1 p      R   0:23 4 n[1-4]
>  2 p      PD  0:00 3 (ReqNodeNotAvail, UnavailableNodes:n[1-3])
>  3 p      PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n[1-3])
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 4 (ReqNodeNotAvail, UnavailableNodes:n[1-3])
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n[1-3])
at 24s admin n[1-3] RESUME
at 25s show jobs
>  1 p      R   0:25 4 n[1-4]
>  2 p      PD  0:00 3 (Priority)
>  3 p      PD  0:00 2 (Priority)
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 4 (Priority)
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 2 (Priority)
Nothing is left: the first is told so, those behind it which nodes.
at 26s cancel 2
> at 26s job 2 CANCELLED
at 26s cancel 5
> at 26s job 5 CANCELLED
at 30s admin n[1-4] DRAIN work
at 31s submit -N1 -p p
> job 8
at 32s show jobs
>  1 p      R   0:32 4 n[1-4]
>  3 p      PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n[1-4])
>  4 p      PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n[1-4])
>  7 p      PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n[1-4])
>  8 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n[1-4])
at 33s admin n4 RESUME
at 34s show jobs
>  1 p      R   0:34 4 n[1-4]
>  3 p      PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n[1-3])
>  4 p      PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 2 (ReqNodeNotAvail, UnavailableNodes:n[1-3])
>  8 p      PD  0:00 1 (Priority)
