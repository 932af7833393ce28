One job is in the way of both components: it is suspended once, for both.
conf
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=4
PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1 OverSubscribe=FORCE:1
PartitionName=high Nodes=n[1-2] PriorityTier=10 OverSubscribe=FORCE:1
end
at 0s submit -N2 -n8 --runs 100s
> at 0s n1 registers
> at 0s n2 registers
> job 1
> at 0s launch job 1 on n1
at 1s submit -p high -N1 -n4 --runs 10s : -p high -N1 -n4
> job 2, with components up to 3
> at 1s freeze job 1 on n1
at 5s show jobs
> at 1.001s launch job 2 on n1
>  1 low    S   0:01 2 n[1-2]
>  2 high   R   0:03 1 n1
>  3 high   R   0:03 1 n2
at 30s show jobs
> at 11.001s job 2 COMPLETED
> at 11.001s terminate job 2 on n1
> at 11.001s job 3 COMPLETED
> at 11.002s thaw job 1 on n1
>  1 low    R   0:19 2 n[1-2]
