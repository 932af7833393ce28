Components of one request are no namesakes of each other: a singleton waits for the requests before its own, also after a restart of the controller.
conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
MinJobAge=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -d singleton -J sg -N1 --runs 30s : -N1 -J sg
> job 1, with components up to 2
> at 1s launch job 1 on n1
at 2s submit -d singleton -J sg -N1 --runs 30s : -N1 -J sg
> job 3, with components up to 4
at 3s submit -d singleton -J sg -N1 --runs 30s
> job 5
By an update, too; it waits for those before it.
at 4s submit -J sg -N1 --hold --runs 30s : -N1 -J sg --hold
> job 6, with components up to 7
at 5s update JobId=6 Dependency=singleton
at 5s update JobId=7 Dependency=singleton
at 6s release 6
at 6s release 7
at 7s show jobs
>  1 p      R   0:06 1 n1
>  2 p      R   0:06 1 n2
>  3 p      PD  0:00 1 (Dependency)
>  4 p      PD  0:00 1 (Dependency)
>  5 p      PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
>  7 p      PD  0:00 1 (Dependency)
at 8s kill
at 9s show jobs
>  1 p      R   0:08 1 n1
>  2 p      R   0:08 1 n2
>  3 p      PD  0:00 1 (Dependency)
>  4 p      PD  0:00 1 (Dependency)
>  5 p      PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
>  7 p      PD  0:00 1 (Dependency)
at 40s show jobs
> at 31s job 1 COMPLETED
> at 31s terminate job 1 on n1
> at 31s job 2 COMPLETED
> at 31.001s launch job 3 on n1
>  3 p      R   0:08 1 n1
>  4 p      R   0:08 1 n2
>  5 p      PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
>  7 p      PD  0:00 1 (Dependency)
Components of two requests that have other names beside: neither waits for itself.
at 150s submit -d singleton -J a -N1 --runs 30s : -N1 -J b
> at 61.001s job 3 COMPLETED
> at 61.001s terminate job 3 on n1
> at 61.001s job 4 COMPLETED
> at 61.002s launch job 5 on n1
> at 91.002s job 5 COMPLETED
> at 91.002s terminate job 5 on n1
> at 91.003s launch job 6 on n1
> at 121.003s job 6 COMPLETED
> at 121.003s terminate job 6 on n1
> at 121.003s job 7 COMPLETED
> job 8, with components up to 9
> at 150s launch job 8 on n1
at 151s submit -d singleton -J b -N1 --runs 30s : -N1 -J a
> job 10, with components up to 11
at 152s show jobs
>  8 p      R   0:02 1 n1
>  9 p      R   0:02 1 n2
> 10 p      PD  0:00 1 (Dependency)
> 11 p      PD  0:00 1 (Dependency)
at 300s show jobs
> at 180s job 8 COMPLETED
> at 180s terminate job 8 on n1
> at 180s job 9 COMPLETED
> at 180s launch job 10 on n2
> at 210s job 10 COMPLETED
> at 210s terminate job 10 on n2
> at 210s job 11 COMPLETED
