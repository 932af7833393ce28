A job that is planned anew leaves room behind it; one before it may start there at once.
conf
SelectType=select/linear
Licenses=l:1
NodeName=n1 CPUs=1
NodeName=n[2-4] CPUs=1 Feature=x
NodeName=n5 CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 1s submit -w n1,n2 -N2 -t 500s
> job 1
> at 1s launch job 1 on n1
at 1s submit -w n3 -t 100s
> job 2
> at 1s launch job 2 on n3
at 1s submit -w n5 -t 450s -L l
> job 3
> at 1s launch job 3 on n5
at 2s submit -w n1 -t 100s
> job 4
at 2s submit -N2 -C x -t 1000s
> job 5
at 2s submit -t 100s -L l -x n5
> job 6
at 3s show plan
> 4 at 501s on n1 until 601s
> 5 at 101s on n[3-4] until 1101s
> 6 at 501s on n2 until 601s
At 50s job 4 starts on n1; job 6, behind it, waits for the license and moves to n1, so that job 5 has n2 and need not wait for n3.
at 50s cancel 1
> at 50s job 1 CANCELLED
> at 50s terminate job 1 on n1
> at 50s launch job 5 on n2
at 51s show plan
> at 50.001s launch job 4 on n1
> 6 at 451s on n1 until 551s
at 51s show jobs
>  2 p      R   0:50 1 n3
>  3 p      R   0:50 1 n5
>  4 p      R   0:00 1 n1
>  5 p      R   0:01 2 n[2,4]
>  6 p      PD  0:00 1 (Licenses)
