Whom a job stands still for, as squeue shows it: the one without which it would have room,
where CPUs are counted.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptMode=GANG
SchedulerTimeSlice=30
NodeName=n[1-3] CPUs=4
PartitionName=p OverSubscribe=FORCE:2 Nodes=n[1-3] Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
Node n1 has a job of one CPU and one of three; another of three waits for the latter.
at 1s submit -w n1 -n1 -t 600s
> job 1
> at 1s launch job 1 on n1
at 2s submit -w n1 -n3 -t 600s
> job 2
> at 2s launch job 2 on n1
at 3s submit -w n1 -n3 -t 600s
> job 3
at 4s show stopped
> 3 for 2 until 33s
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:03 1 n1
>  3 p      S   0:00 1 n1
at 40s show stopped
> at 33s freeze job 2 on n1
> at 33.001s launch job 3 on n1
> 2 for 3 until 63s
at 40s show jobs
>  1 p      R   0:39 1 n1
>  2 p      S   0:31 1 n1
>  3 p      R   0:06 1 n1
at 41s cancel 1
> at 41s job 1 CANCELLED
> at 41s terminate job 1 on n1
at 41s cancel 2
> at 41s job 2 CANCELLED
> at 41s terminate job 2 on n1 at once
at 41s cancel 3
> at 41s job 3 CANCELLED
> at 41s terminate job 3 on n1
n2 has room; n3 has not.
at 50s submit -w n2 -n1 -t 600s
> job 4
> at 50s launch job 4 on n2
at 51s submit -w n3 -n4 -t 600s
> job 5
> at 51s launch job 5 on n3
at 52s submit -w n[2-3] -N2 -n4 --ntasks-per-node 2 -t 600s
> job 6
at 53s show stopped
> 6 for 5 until 82s
at 53s show jobs
>  4 p      R   0:03 1 n2
>  5 p      R   0:02 1 n3
>  6 p      S   0:00 2 n[2-3]
