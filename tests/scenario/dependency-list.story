What waits for several tasks of an array, written as a list, waits for each of them, whether it has a record yet or not; those that the array
does not have are met.
conf
SelectType=select/linear
NodeName=n[1-6] CPUs=1
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
at 1s submit --array 0-5%2 --runs 10s
> job 1
> at 1s launch job 2 on n1
> at 1s launch job 3 on n2
at 2s submit -d afterany:1_[0-1] --runs 1s
> job 4
at 2s submit -d afterok:1_[0-4:2,9] --runs 1s
> job 5
at 2s submit -d afternotok:1_[3-5] --runs 1s
> job 6
at 2s submit -d afternotok:1_[3-5]?singleton --runs 1s
> job 7
at 2s submit -d after:1_[2-3]+1 --runs 1s
> job 8
at 2s submit --array 0-3 -d aftercorr:1_[0-1] --runs 1s
> job 9
at 2s submit -d afterok:1_[7-9] --runs 1s
> job 13
> at 2s launch job 13 on n3
at 2s submit -d afterok:77_[0-1] --runs 1s
> refused: Job dependency problem (there has been no job 77)
at 2s submit --runs 1s
> job 14
> at 2s launch job 14 on n4
at 3s show jobs
> at 3s job 13 COMPLETED
> at 3s terminate job 13 on n3
> at 3s job 14 COMPLETED
> at 3s terminate job 14 on n4
> 1_[2-5] p      PD  0:00 1 (JobArrayTaskLimit)
> 1_0 p      R   0:02 1 n1
> 1_1 p      R   0:02 1 n2
>  4 p      PD  0:00 1 (Dependency)
>  5 p      PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
>  7 p      PD  0:00 1 (Dependency)
>  8 p      PD  0:00 1 (Dependency)
> 9_3 p      PD  0:00 1 (Dependency)
> 9_0 p      PD  0:00 1 (Dependency)
> 9_1 p      PD  0:00 1 (Dependency)
> 9_2 p      PD  0:00 1 (Dependency)
> 13 p      CG  0:01 1 n3
> 14 p      CG  0:01 1 n4
at 15s cancel 1_5
> at 11s job 2 COMPLETED
> at 11s terminate job 2 on n1
> at 11s job 3 COMPLETED
> at 11s terminate job 3 on n2
> at 11.001s launch job 15 on n1
> at 11.001s launch job 10 on n3
> at 11.001s launch job 16 on n2
> at 11.001s launch job 4 on n4
> at 11.001s launch job 11 on n5
> at 12.001s job 10 COMPLETED
> at 12.001s terminate job 10 on n3
> at 12.001s job 4 COMPLETED
> at 12.001s terminate job 4 on n4
> at 12.001s job 11 COMPLETED
> at 12.001s terminate job 11 on n5
> at 15s job 17 CANCELLED
> at 15s launch job 7 on n3
at 200s show jobs
> at 16s job 7 COMPLETED
> at 16s terminate job 7 on n3
> at 21.001s job 15 COMPLETED
> at 21.001s terminate job 15 on n1
> at 21.001s job 16 COMPLETED
> at 21.001s terminate job 16 on n2
> at 21.002s launch job 1 on n1
> at 21.002s launch job 12 on n3
> at 21.002s launch job 9 on n2
> at 22.002s job 12 COMPLETED
> at 22.002s terminate job 12 on n3
> at 22.002s job 9 COMPLETED
> at 22.002s terminate job 9 on n2
> at 31.002s job 1 COMPLETED
> at 31.002s terminate job 1 on n1
> at 31.003s launch job 5 on n1
> at 32.003s job 5 COMPLETED
> at 32.003s terminate job 5 on n1
> at 71.001s launch job 8 on n1
> at 72.001s job 8 COMPLETED
> at 72.001s terminate job 8 on n1
>  6 p      PD  0:00 1 (DependencyNeverSatisfied)
