Mail about parts of a time limit, each once a run and without the time that the job stands still, and about a dependency that can never be met.
conf
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
MinJobAge=1000
DependencyParameters=kill_invalid_depend
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -c2 -t 100s --mail-type TIME_LIMIT_50,TIME_LIMIT_80,TIME_LIMIT_90 --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -c2 -t 100s --mail-type END,TIME_LIMIT_80 --runs 85s --exit=3
> job 2
> at 2s launch job 2 on n2
Half of job 1's limit counts without the 20 s that it is suspended; a restart tells nothing twice.
at 11s suspend 1
> at 11s freeze job 1 on n1
at 31s resume 1
> at 31s thaw job 1 on n1
at 75s kill
> at 71s mail job 1 TIME_LIMIT_50
at 80s submit -d afterok:2 --mail-type ALL
> job 3
at 95s show jobs
> at 82s mail job 2 TIME_LIMIT_80
> at 87s job 2 FAILED
> at 87s terminate job 2 on n2
> at 87.001s mail job 3 INVALID_DEPEND
> at 87.001s job 3 CANCELLED
>  1 p      R   1:14 1 n1
Another run is told of anew.
at 106s requeue 1
> at 101s mail job 1 TIME_LIMIT_80
> at 106s job 1 is requeued
> at 106s terminate job 1 on n1
at 500s show jobs
> at 106.001s launch job 1 on n1
> at 156.001s mail job 1 TIME_LIMIT_50
> at 186.001s mail job 1 TIME_LIMIT_80
> at 196.001s mail job 1 TIME_LIMIT_90
> at 206.001s job 1 TIMEOUT
> at 206.001s terminate job 1 on n1
