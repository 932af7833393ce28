A node that never confirms a script's launch, but runs a step of the job, and something that has no place there: when the job ends
before it is launched again, its step is ended, too.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n1 CPUs=2
PartitionName=p Nodes=n1 Default=YES
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n1 --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 2s fault never-answers n1
at 3s submit -n1 --runs 1000s
> job 2
> at 3s launch job 2 on n1
at 4s step 2
at 5s cancel 1
> at 5s job 1 CANCELLED
> at 5s terminate job 1 on n1
at 250s cancel 2
> at 23s disconnect n1
> at 28s terminate job 1 on n1
> at 28s launch job 2 on n1
> at 48s disconnect n1
> at 53s terminate job 1 on n1
> at 53s launch job 2 on n1
> at 73s disconnect n1
> at 78s terminate job 1 on n1
> at 78s launch job 2 on n1
> at 98s disconnect n1
> at 103s terminate job 1 on n1
> at 103s launch job 2 on n1
> at 105s terminate job 1 on n1
> at 123s disconnect n1
> at 128s terminate job 1 on n1
> at 128s launch job 2 on n1
> at 148s disconnect n1
> at 153s terminate job 1 on n1
> at 153s launch job 2 on n1
> at 173s disconnect n1
> at 178s terminate job 1 on n1
> at 178s launch job 2 on n1
> at 198s disconnect n1
> at 203s terminate job 1 on n1
> at 203s launch job 2 on n1
> at 223s disconnect n1
> at 228s terminate job 1 on n1 at once
> at 250s job 2 CANCELLED
> at 250s terminate job 2 on n1
at 251s show jobs
>  2 p      CG  4:07 1 n1
