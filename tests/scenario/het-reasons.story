Reasons are the same for all components: of what single ones wait for, the hardest to be rid of.
conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
PartitionName=other Nodes=n[3-4]
MinJobAge=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -J a -N1 -w n1 --exclusive -t 1h --runs 60s --exit=1
> job 1
> at 1s launch job 1 on n1
The first component waits for a namesake, the second has another name.
at 2s submit -N1 -J a -d singleton -t 1h --runs 20s : -N1 -J b -p other -t 1h
> job 2, with components up to 3
at 2s show jobs
>  1 p      R   0:01 1 n1
>  2 p      PD  0:00 1 (Dependency)
>  3 other  PD  0:00 1 (Dependency)
A later component's dependency, that will never be met; a begin time; a hold.
at 3s submit -N1 -t 1h --runs 20s : -N1 -p other -t 1h -d afterok:1 : -N1 -t 1h -d afterany:1
> job 4, with components up to 6
at 3s submit -N1 -t 1h --runs 20s : -N1 -t 1h --begin 100s
> job 7, with components up to 8
at 3s submit -N1 -t 1h --runs 20s : -N1 -t 1h -d afterany:1
> job 9, with components up to 10
at 4s hold 10
at 4s show jobs
>  1 p      R   0:03 1 n1
>  2 p      PD  0:00 1 (Dependency)
>  3 other  PD  0:00 1 (Dependency)
>  4 p      PD  0:00 1 (Dependency)
>  5 other  PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
>  7 p      PD  0:00 1 (BeginTime)
>  8 p      PD  0:00 1 (BeginTime)
>  9 p      PD  0:00 1 (JobHeldAdmin)
> 10 p      PD  0:00 1 (JobHeldAdmin)
at 5s kill
at 5s show jobs
>  1 p      R   0:04 1 n1
>  2 p      PD  0:00 1 (Dependency)
>  3 other  PD  0:00 1 (Dependency)
>  4 p      PD  0:00 1 (Dependency)
>  5 other  PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
>  7 p      PD  0:00 1 (BeginTime)
>  8 p      PD  0:00 1 (BeginTime)
>  9 p      PD  0:00 1 (JobHeldAdmin)
> 10 p      PD  0:00 1 (JobHeldAdmin)
at 61.5s show jobs
> at 61s job 1 FAILED
> at 61s terminate job 1 on n1
> at 61.001s launch job 2 on n1
>  2 p      R   0:00 1 n1
>  3 other  R   0:00 1 n3
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
>  5 other  PD  0:00 1 (DependencyNeverSatisfied)
>  6 p      PD  0:00 1 (DependencyNeverSatisfied)
>  7 p      PD  0:00 1 (BeginTime)
>  8 p      PD  0:00 1 (BeginTime)
>  9 p      PD  0:00 1 (JobHeldAdmin)
> 10 p      PD  0:00 1 (JobHeldAdmin)
The dependencies are taken back, and the hold.
at 62s update JobId=5 Dependency=
at 62s release 10
at 62s show jobs
>  2 p      R   0:00 1 n1
>  3 other  R   0:00 1 n3
>  4 p      PD  0:00 1 (Resources)
>  5 other  PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (Resources)
>  7 p      PD  0:00 1 (BeginTime)
>  8 p      PD  0:00 1 (BeginTime)
>  9 p      PD  0:00 1 (Priority)
> 10 p      PD  0:00 1 (Priority)
at 63s hold 7
at 63s show jobs
>  2 p      R   0:01 1 n1
>  3 other  R   0:01 1 n3
>  4 p      PD  0:00 1 (Resources)
>  5 other  PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (Resources)
>  7 p      PD  0:00 1 (JobHeldAdmin)
>  8 p      PD  0:00 1 (JobHeldAdmin)
>  9 p      PD  0:00 1 (Priority)
> 10 p      PD  0:00 1 (Priority)
at 64s release 7
at 64s show jobs
>  2 p      R   0:02 1 n1
>  3 other  R   0:02 1 n3
>  4 p      PD  0:00 1 (Resources)
>  5 other  PD  0:00 1 (Resources)
>  6 p      PD  0:00 1 (Resources)
>  7 p      PD  0:00 1 (BeginTime)
>  8 p      PD  0:00 1 (BeginTime)
>  9 p      PD  0:00 1 (Priority)
> 10 p      PD  0:00 1 (Priority)
at 120s show jobs
> at 81.001s job 2 COMPLETED
> at 81.001s terminate job 2 on n1
> at 81.001s job 3 COMPLETED
> at 81.001s launch job 4 on n2
> at 101.001s job 4 COMPLETED
> at 101.001s terminate job 4 on n2
> at 101.001s job 5 COMPLETED
> at 101.001s job 6 COMPLETED
> at 101.001s launch job 9 on n1
> at 103s launch job 7 on n2
>  7 p      R   0:17 1 n2
>  8 p      R   0:17 1 n4
>  9 p      R   0:18 1 n1
> 10 p      R   0:18 1 n3
