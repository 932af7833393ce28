A job that is suspended has no GraceTime, as nothing of it runs: sbatch --test-only of a preemptor says so, too.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-3] CPUs=4
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 GraceTime=60
PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit -N1 --exclusive -w n1 -t 60m --runs 3000s
> job 1
> at 0s launch job 1 on n1
at 0s submit -N1 --exclusive -w n2 -t 60m --runs 3000s
> job 2
> at 0s launch job 2 on n2
at 0s submit -N1 --exclusive -w n3 -t 60m --runs 3000s
> job 3
> at 0s launch job 3 on n3
at 1s suspend 1
> at 1s freeze job 1 on n1
at 1s suspend 2
> at 1s freeze job 2 on n2
at 2s estimate -p high -N1 --exclusive -w n1 -t 60m
> in 00:00:00 on n1, 4 CPUs, with victims
at 2s estimate -p high -N1 --exclusive -w n1 -t 60m : -p high -N1 --exclusive -w n2 -t 60m
> in 00:00:00 on n[1-2], 8 CPUs, with victims
at 2s estimate -p high -N1 --exclusive -w n1 -t 60m : -p high -N1 --exclusive -w n3 -t 60m
> in 00:01:00 on n[1,3], 8 CPUs, with victims
at 3s submit -p high -N1 --exclusive -w n1 -t 60m --runs 20s : -p high -N1 --exclusive -w n2 -t 60m
> job 4, with components up to 5
> at 3s job 1 PREEMPTED
> at 3s terminate job 1 on n1
> at 3s job 2 PREEMPTED
> at 3s terminate job 2 on n2
at 10s show jobs
> at 3.001s launch job 4 on n1
>  3 low    R   0:10 1 n3
>  4 high   R   0:06 1 n1
>  5 high   R   0:06 1 n2
at 30s submit -p high -N1 --exclusive -w n3 -t 60m --runs 20s
> at 23.001s job 4 COMPLETED
> at 23.001s terminate job 4 on n1
> at 23.001s job 5 COMPLETED
> job 6
> at 30s signal job 3 on n3
> at 30s signal job 3 on n3
at 40s suspend 3
> at 40s freeze job 3 on n3
at 41s show jobs
>  3 low    S   0:40 1 n3
>  6 high   PD  0:00 1 (Resources)
The time that it was given before it was suspended passes all the same.
at 100s show jobs
> at 90s job 3 PREEMPTED
> at 90s terminate job 3 on n3
> at 90.001s launch job 6 on n3
>  6 high   R   0:09 1 n3
