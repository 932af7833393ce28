A job that keeps to its own user has its nodes as a whole in the plan, and keeps them as a whole from jobs of others while it runs. Other jobs are planned by numbers all the same.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
A held job of that kind changes nothing for others: 4 is planned for the end of 3, beside 2.
at 1s submit -n1 --exclusive=user --hold
> job 1
at 1s submit -w n1 -n1 -c1
> job 2
> at 1s launch job 2 on n1
at 1s submit -w n1 -n1 -c2 -t 60s --runs 12s
> job 3
> at 1s launch job 3 on n1
at 2s submit -w n1 -n1 -c3 -t 300s --runs 30s
> job 4
at 4s submit -w n1 -n1 -c1 -t 1h --runs 30s
> job 5
at 5s show plan
> 4 at 61s on n1 until 361s
> 5 at 361s on n1 until 3961s
> 1 is not planned
One that runs keeps n2 from 7, which another user has; that user's own one has what is left.
at 6s submit -w n2 --uid=1 -n1 -c1 -t 100s --runs 50s --exclusive=user
> job 6
> at 6s launch job 6 on n2
at 6s submit -w n2 --uid=2 -n1 -c1 -t 100s --runs 50s
> job 7
at 6s submit -w n2 --uid=1 -n1 -c1 -t 30s --runs 10s
> job 8
> at 6s launch job 8 on n2
at 7s show plan
> 4 at 61s on n1 until 361s
> 5 at 361s on n1 until 3961s
> 7 at 106s on n2 until 206s
> 1 is not planned
at 7s show jobs
>  1 p      PD  0:00 1 (JobHeldUser)
>  2 p      R   0:06 1 n1
>  3 p      R   0:06 1 n1
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 1 (Resources)
>  6 p      R   0:01 1 n2
>  7 p      PD  0:00 1 (Resources)
>  8 p      R   0:01 1 n2
And it waits for jobs of others.
at 8s submit -w n1 --uid=1 -n1 -c1 -t 100s --runs 50s --exclusive=user
> job 9
at 9s show plan
> 4 at 61s on n1 until 361s
> 5 at 361s on n1 until 3961s
> 7 at 106s on n2 until 206s
> 9 at 31536001s on n1 until 31536101s
> 1 is not planned
at 200s show jobs
> at 13s job 3 COMPLETED
> at 13s terminate job 3 on n1
> at 13.001s launch job 4 on n1
> at 16s job 8 COMPLETED
> at 16s terminate job 8 on n2
> at 43.001s job 4 COMPLETED
> at 43.001s terminate job 4 on n1
> at 43.002s launch job 5 on n1
> at 56s job 6 COMPLETED
> at 56s terminate job 6 on n2
> at 56.001s launch job 7 on n2
> at 73.002s job 5 COMPLETED
> at 73.002s terminate job 5 on n1
> at 106.001s job 7 COMPLETED
> at 106.001s terminate job 7 on n2
>  1 p      PD  0:00 1 (JobHeldUser)
>  2 p      R   3:19 1 n1
>  9 p      PD  0:00 1 (Resources)
