aftercorr to an array of a list with gaps: a task without a counterpart there waits for all of it.
conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=ALL Default=YES
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit --array 1,2,5 --runs 100s
> job 1
> at 1s launch job 2 on n1
> at 1s launch job 3 on n1
> at 1s launch job 1 on n1
at 1s submit --array 2-3 -d aftercorr:1 --runs 5s
> job 4
at 5s show jobs
> 1_5 p      R   0:04 1 n1
> 1_1 p      R   0:04 1 n1
> 1_2 p      R   0:04 1 n1
> 4_3 p      PD  0:00 1 (Dependency)
> 4_2 p      PD  0:00 1 (Dependency)
at 103s show jobs
> at 101s job 2 COMPLETED
> at 101s terminate job 2 on n1
> at 101s job 3 COMPLETED
> at 101s terminate job 3 on n1
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101.001s launch job 5 on n1
> at 101.001s launch job 4 on n1
> 4_3 p      R   0:01 1 n1
> 4_2 p      R   0:01 1 n1
