A partition that starts no jobs: each job is told so when it comes, wherever it stands in the queue, and all are looked at again when the partition starts jobs.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=8
PartitionName=down Nodes=n1 State=DOWN Default=YES
PartitionName=up Nodes=n2
end
at 1s submit
> at 0s n1 registers
> at 0s n2 registers
> job 1
at 2s submit
> job 2
at 3s submit --hold
> job 3
at 4s submit
> job 4
at 5s show jobs
>  1 down   PD  0:00 1 (PartitionDown)
>  2 down   PD  0:00 1 (PartitionDown)
>  3 down   PD  0:00 1 (JobHeldUser)
>  4 down   PD  0:00 1 (PartitionDown)
at 6s submit --nice 100
> job 5
at 7s release 3
at 8s show jobs
>  1 down   PD  0:00 1 (PartitionDown)
>  2 down   PD  0:00 1 (PartitionDown)
>  3 down   PD  0:00 1 (PartitionDown)
>  4 down   PD  0:00 1 (PartitionDown)
>  5 down   PD  0:00 1 (PartitionDown)
at 9s cancel 1
> at 9s job 1 CANCELLED
at 10s submit
> job 6
at 11s submit -p up,down -N1
> job 7
> at 11s launch job 7 on n2
at 12s submit -p up --exclusive
> job 8
at 13s submit
> job 9
at 14s show jobs
>  2 down   PD  0:00 1 (PartitionDown)
>  3 down   PD  0:00 1 (PartitionDown)
>  4 down   PD  0:00 1 (PartitionDown)
>  5 down   PD  0:00 1 (PartitionDown)
>  6 down   PD  0:00 1 (PartitionDown)
>  7 up     R   0:03 1 n2
>  8 up     PD  0:00 1 (Resources)
>  9 down   PD  0:00 1 (PartitionDown)
at 20s update PartitionName=down State=UP
> at 20s launch job 2 on n1
> at 20s launch job 4 on n1
> at 20s launch job 3 on n1
> at 20s launch job 6 on n1
> at 20s launch job 9 on n1
> at 20s launch job 5 on n1
at 21s show jobs
>  2 down   R   0:01 1 n1
>  3 down   R   0:01 1 n1
>  4 down   R   0:01 1 n1
>  5 down   R   0:01 1 n1
>  6 down   R   0:01 1 n1
>  7 up     R   0:10 1 n2
>  8 up     PD  0:00 1 (Resources)
>  9 down   R   0:01 1 n1
