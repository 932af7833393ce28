A job that waits for its turn has it before a new one takes its place: job 2 had to wait for n1 and n2, and has them when job 1 ends.
Job 3 has its place in a row only now and waits for its turn; job 4, which delays none, does not.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=GANG
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL OverSubscribe=FORCE:2 Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -w n1 -n4
> job 1
> at 1s launch job 1 on n1
at 2s submit -w n[1-2] -N2 -n6
> job 2
at 3s submit -w n1 -n4
> job 3
at 4s show jobs
>  1 p      R   0:03 1 n1
>  2 p      S   0:00 2 n[1-2]
>  3 p      PD  0:00 1 (Resources)
at 10s cancel 1
> at 10s job 1 CANCELLED
> at 10s terminate job 1 on n1
at 11s submit -w n2 -n1
> at 10.001s launch job 2 on n1
> job 4
> at 11s launch job 4 on n2
at 11s submit -w n2 -n4
> job 5
at 12s show jobs
>  2 p      R   0:01 2 n[1-2]
>  3 p      S   0:00 1 n1
>  4 p      R   0:01 1 n2
>  5 p      S   0:00 1 n2
at 50s show jobs
>  2 p      R   0:39 2 n[1-2]
>  3 p      S   0:00 1 n1
>  4 p      R   0:39 1 n2
>  5 p      S   0:00 1 n2
