An id that no job has had is refused, also where a task of the array itself would get it next; what a job before was called is met.
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
> refused: Job dependency problem (there has been no job 6)
at 3s submit --array 0-2 -d afternotok:8:9,aftercorr:4 --runs 10s
> refused: Job dependency problem (there has been no job 8)
at 4s show jobs
> 1_2 p      R   0:03 1 n3
> 1_0 p      R   0:03 1 n1
> 1_1 p      R   0:03 1 n2
at 200s show jobs
> at 51s job 2 FAILED
> at 51s terminate job 2 on n1
> at 51s job 3 FAILED
> at 51s terminate job 3 on n2
> at 51s job 1 FAILED
> at 51s terminate job 1 on n3
It was forgotten without accounts: what waits for it does so no longer.
at 400s submit --array 0-1 -d afterok:2,aftercorr:1 --runs 1s
> job 4
> at 400s launch job 5 on n1
> at 400s launch job 4 on n2
at 402s show jobs
> at 401s job 5 COMPLETED
> at 401s terminate job 5 on n1
> at 401s job 4 COMPLETED
> at 401s terminate job 4 on n2
