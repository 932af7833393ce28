aftercorr between arrays of different indices: a task without a counterpart waits for all of them.
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
at 1s submit --array 2-4:2 --runs 10s
> job 1
> at 1s launch job 2 on n1
> at 1s launch job 1 on n1
at 1s submit --array 1-5 -d aftercorr:1 --runs 5s
> job 3
at 2s show jobs
> 1_4 p      R   0:01 1 n1
> 1_2 p      R   0:01 1 n1
> 3_5 p      PD  0:00 1 (Dependency)
> 3_1 p      PD  0:00 1 (Dependency)
> 3_2 p      PD  0:00 1 (Dependency)
> 3_3 p      PD  0:00 1 (Dependency)
> 3_4 p      PD  0:00 1 (Dependency)
at 10.5s cancel 1_4
> at 10.5s job 1 CANCELLED
> at 10.5s terminate job 1 on n1
at 12s show jobs
> at 11s job 2 COMPLETED
> at 11s terminate job 2 on n1
> at 11.001s launch job 5 on n1
> 3_5 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_1 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_2 p      R   0:00 1 n1
> 3_3 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_4 p      PD  0:00 1 (DependencyNeverSatisfied)
All counterparts of one task succeed.
at 100s submit --array 1-2 --runs 10s
> at 16.001s job 5 COMPLETED
> at 16.001s terminate job 5 on n1
> job 8
> at 100s launch job 9 on n1
> at 100s launch job 8 on n1
at 100s submit --array 1-3 -d aftercorr:8 --runs 5s
> job 10
at 101s show jobs
> 3_5 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_1 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_3 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_4 p      PD  0:00 1 (DependencyNeverSatisfied)
> 8_2 p      R   0:01 1 n1
> 8_1 p      R   0:01 1 n1
> 10_3 p      PD  0:00 1 (Dependency)
> 10_1 p      PD  0:00 1 (Dependency)
> 10_2 p      PD  0:00 1 (Dependency)
at 120s show jobs
> at 110s job 9 COMPLETED
> at 110s terminate job 9 on n1
> at 110s job 8 COMPLETED
> at 110s terminate job 8 on n1
> at 110.001s launch job 11 on n1
> at 110.001s launch job 10 on n1
> at 110.001s launch job 12 on n1
> at 115.001s job 11 COMPLETED
> at 115.001s terminate job 11 on n1
> at 115.001s job 10 COMPLETED
> at 115.001s terminate job 10 on n1
> at 115.001s job 12 COMPLETED
> at 115.001s terminate job 12 on n1
> 3_5 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_1 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_3 p      PD  0:00 1 (DependencyNeverSatisfied)
> 3_4 p      PD  0:00 1 (DependencyNeverSatisfied)
