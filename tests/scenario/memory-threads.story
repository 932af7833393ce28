--mem-per-cpu with --threads-per-core (--hint=nomultithread is 1): memory is for the threads that are used, while CPUs are charged by the core.  Slurm 22.05 does the same.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000
NodeName=n3 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=2000
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
All cores of a node, with all of its memory.
at 1s submit -n8 --mem-per-cpu 500 --threads-per-core 1 --runs 10s
> job 1
> at 1s launch job 1 on n1
at 2s show job 1
> job 1 RUNNING Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=16 Exit=0:0
at 20s submit -N1 -n8 --mem-per-cpu 501 --threads-per-core 1
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> refused: Requested node configuration is not available
Half of it: two of them are on one node at a time, and no third.
at 21s submit -n4 --mem-per-cpu 500 --threads-per-core 1 -w n1 --runs 10s
> job 2
> at 21s launch job 2 on n1
at 21s submit -n4 --mem-per-cpu 500 --threads-per-core 1 -w n1 --runs 10s
> job 3
> at 21s launch job 3 on n1
at 21s submit -n1 --mem-per-cpu 1 --threads-per-core 1 -w n1 --runs 10s
> job 4
at 22s show jobs
>  2 p      R   0:01 1 n1
>  3 p      R   0:01 1 n1
>  4 p      PD  0:00 1 (Resources)
Both threads have theirs without it, and with --ntasks-per-core, which leaves one alone as well.
at 60s submit -n4 --mem-per-cpu 500 -w n1 --runs 10s
> at 31s job 2 COMPLETED
> at 31s terminate job 2 on n1
> at 31s job 3 COMPLETED
> at 31s terminate job 3 on n1
> at 31.001s launch job 4 on n1
> at 41.001s job 4 COMPLETED
> at 41.001s terminate job 4 on n1
> job 5
> at 60s launch job 5 on n1
at 60s submit -n2 --mem-per-cpu 500 --ntasks-per-core 1 -w n1 --runs 10s
> job 6
> at 60s launch job 6 on n1
at 60s submit -n1 --mem-per-cpu 1 -w n1 --runs 10s
> job 7
at 60s submit -n4 --mem-per-cpu 500 -w n3 --threads-per-core 1 --runs 10s
> job 8
> at 60s launch job 8 on n3
at 60s submit -n1 --mem-per-cpu 1 -w n3 --threads-per-core 1 --runs 10s
> job 9
at 61s show jobs
>  5 p      R   0:01 1 n1
>  6 p      R   0:01 1 n1
>  7 p      PD  0:00 1 (Resources)
>  8 p      R   0:01 1 n3
>  9 p      PD  0:00 1 (Resources)
Of an --exclusive job, too: 3600 of 4000 MB.
at 100s submit -n1 --exclusive --mem-per-cpu 450 --threads-per-core 1 --runs 10s
> at 70s job 5 COMPLETED
> at 70s terminate job 5 on n1
> at 70s job 6 COMPLETED
> at 70s terminate job 6 on n1
> at 70s job 8 COMPLETED
> at 70s terminate job 8 on n3
> at 70.001s launch job 7 on n1
> at 70.001s launch job 9 on n3
> at 80.001s job 7 COMPLETED
> at 80.001s terminate job 7 on n1
> at 80.001s job 9 COMPLETED
> at 80.001s terminate job 9 on n3
> job 10
> at 100s launch job 10 on n1
at 101s show job 10
> job 10 RUNNING Reason=None Priority=4294901750 Restarts=0 RunTime=00:00:01 Nodes=n1 CPUs=16 Exit=0:0
