--batch: the script runs on the first node of the job that has these features, else on the first.
conf
NodeName=n1 CPUs=2 Feature=a
NodeName=n2 CPUs=2 Feature=b
NodeName=n3 CPUs=2 Feature=b,c
PartitionName=p Nodes=ALL Default=YES
MinJobAge=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s submit -N3 --exclusive -C a|b|c --batch c --runs 10s
> job 1
> at 1s launch job 1 on n3
A controller that comes back knows where the script is: its end is the job's.
at 5s kill
at 10s show jobs
>  1 p      R   0:09 3 n[1-3]
at 20s submit -N2 --exclusive -C a|b|c --batch c|b --runs 5s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n3
> job 2
> at 20s launch job 2 on n2
at 30s submit -N3 --exclusive -C b&c|b|a --batch b&c --runs 5s
> at 25s job 2 COMPLETED
> at 25s terminate job 2 on n2
> job 3
> at 30s launch job 3 on n3
at 40s submit -N1 -C [a|b] -w n1 --batch b --runs 5s
> at 35s job 3 COMPLETED
> at 35s terminate job 3 on n3
> job 4
> at 40s launch job 4 on n1
What is not among the job's features is refused, and so is what is no expression of names.
at 50s submit -N1 -C a|b --batch c
> at 45s job 4 COMPLETED
> at 45s terminate job 4 on n1
> refused: Job --batch option is invalid or not a subset of --constraints
at 51s submit -N1 --batch a
> refused: Job --batch option is invalid or not a subset of --constraints
at 52s submit -N1 -C a|b --batch a,b
> refused: Job --batch option is invalid or not a subset of --constraints
at 53s submit -N1 -C a|b --batch a|
> refused: Job --batch option is invalid or not a subset of --constraints
at 60s show jobs
