A dependency on an id that no job has is met, also where a task of the array itself gets that id next.
conf
NodeName=n[1-4] CPUs=1
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit --array 0-2 --runs 50s --exit=1
> job 1
> at 1s launch job 2 on n1
> at 1s launch job 3 on n2
> at 1s launch job 1 on n3
at 2s submit --array 0-2 -d aftercorr:1?afternotok:6 --runs 10s
> job 4
> at 2s launch job 5 on n4
at 3s submit --array 0-2 -d afternotok:8:9,aftercorr:4 --runs 10s
> job 6
at 4s show jobs
> 1_2 p      R   0:03 1 n3
> 1_0 p      R   0:03 1 n1
> 1_1 p      R   0:03 1 n2
> 4_[1-2] p      PD  0:00 1 (Resources)
> 4_0 p      R   0:02 1 n4
> 6_2 p      PD  0:00 1 (Dependency)
> 6_0 p      PD  0:00 1 (Dependency)
> 6_1 p      PD  0:00 1 (Dependency)
at 200s show jobs
> at 12s job 5 COMPLETED
> at 12s terminate job 5 on n4
> at 12.001s launch job 9 on n4
> at 22.001s job 9 COMPLETED
> at 22.001s terminate job 9 on n4
> at 22.002s launch job 4 on n4
> at 32.002s job 4 COMPLETED
> at 32.002s terminate job 4 on n4
> at 32.003s launch job 6 on n4
> at 42.003s job 6 COMPLETED
> at 42.003s terminate job 6 on n4
> at 42.004s launch job 7 on n4
> at 51s job 2 FAILED
> at 51s terminate job 2 on n1
> at 51s job 3 FAILED
> at 51s terminate job 3 on n2
> at 51s job 1 FAILED
> at 51s terminate job 1 on n3
> at 51.001s launch job 8 on n1
> at 52.004s job 7 COMPLETED
> at 52.004s terminate job 7 on n4
> at 61.001s job 8 COMPLETED
> at 61.001s terminate job 8 on n1
