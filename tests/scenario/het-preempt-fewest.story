The components of a preemptor stop no job that all together can do without, although each alone would choose it: of two jobs, on two and on three nodes, the larger one is enough beside a free node.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-6] CPUs=4
PartitionName=p Nodes=n[1-6] Default=YES
PartitionName=high Nodes=n[1-6] PriorityTier=10
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 1s submit -N2 -w n[1-2] --exclusive -t 1h --runs 1h
> job 1
> at 1s launch job 1 on n1
at 1s submit -N3 -w n[3-5] --exclusive -t 1h --runs 1h
> job 2
> at 1s launch job 2 on n3
at 2s estimate -p high -N2 : -p high -N2
> in 00:00:00 on n[3-6], 4 CPUs, with victims
at 2s submit -p high -N2 -t 1h --runs 10s : -p high -N2 -t 1h --runs 10s
> job 3, with components up to 4
> at 2s job 2 PREEMPTED
> at 2s terminate job 2 on n3
at 3s show jobs
> at 2.001s launch job 3 on n3
>  1 p      R   0:02 2 n[1-2]
>  3 high   R   0:00 2 n[3-4]
>  4 high   R   0:00 2 n[5-6]
One that needs more stops both.
at 20s submit -N3 -w n[3-5] --exclusive -t 1h --runs 1h
> at 12.001s job 3 COMPLETED
> at 12.001s terminate job 3 on n3
> at 12.001s job 4 COMPLETED
> job 5
> at 20s launch job 5 on n3
at 21s submit -p high -N3 -t 1h --runs 10s : -p high -N2 -t 1h --runs 10s
> job 6, with components up to 7
> at 21s job 5 PREEMPTED
> at 21s terminate job 5 on n3
> at 21s job 1 PREEMPTED
> at 21s terminate job 1 on n1
at 22s show jobs
> at 21.001s launch job 6 on n2
>  6 high   R   0:00 3 n[2-4]
>  7 high   R   0:00 2 n[5-6]
