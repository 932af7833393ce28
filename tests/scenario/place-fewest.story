A job that may have so many nodes only, and no more: those that do, up before off, lower weight before higher, and then in their order.  None that is liked less is taken because it is larger.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=3000
GresTypes=gpu
NodeName=n1 CPUs=4
NodeName=n[2-5] CPUs=8
NodeName=n6 CPUs=16 State=CLOUD
NodeName=n7 CPUs=16 Gres=gpu:8 Weight=9
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n7 registers
at 1s submit -N1 -n6 --runs 100s
> job 1
> at 1s launch job 1 on n2
at 1s submit -N2 -n14 --runs 100s
> job 2
> at 1s launch job 2 on n3
at 1s submit -N2 -n12 --runs 100s
> job 3
> at 1s launch job 3 on n1
The largest of those that are up, before the one that would have to be woken.
at 1s submit -N1 -n10 --runs 100s
> job 4
> at 1s launch job 4 on n7
at 2s show jobs
>  1 p      R   0:01 1 n2
>  2 p      R   0:01 2 n[3-4]
>  3 p      R   0:01 2 n[1,5]
>  4 p      R   0:01 1 n7
at 2s submit -N1 -n10 --runs 100s
> job 5
> at 2s resume n6 (job 5: n6)
