conf
NodeName=n[1-3] CPUs=4
PartitionName=p Nodes=n[1-3] Default=YES
end
The components stand still, and go on.
at 0s submit -N1 --runs 300s : -N1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> job 1, with components up to 2
> at 0s launch job 1 on n1
at 5s suspend 1
> at 5s freeze job 1 on n1
at 5s suspend 2
at 10s show jobs
>  1 p      S   0:05 1 n1
>  2 p      S   0:05 1 n2
at 10s resume 1
at 10s resume 2
> at 10s thaw job 1 on n1
at 15s show jobs
>  1 p      R   0:10 1 n1
>  2 p      R   0:10 1 n2
Where one cannot be frozen, the other one goes on as well.
at 16s fault cannot-freeze n1
at 16s suspend 1
> at 16s freeze job 1 on n1
at 16s suspend 2
at 40s show jobs
>  1 p      R   0:25 1 n1
>  2 p      R   0:25 1 n2
at 120s show jobs
>  1 p      R   1:45 1 n1
>  2 p      R   1:45 1 n2
