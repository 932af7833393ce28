Jobs that wait for jobs: each kind, any and all, never, killed, singleton, a circle, a job that is sent back.
conf
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
MinJobAge=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit --runs 10s
> job 1
> at 1s launch job 1 on n1
at 1s submit --runs 20s --exit=3
> job 2
> at 1s launch job 2 on n2
at 1s submit -d afterok:1 --runs 5s
> job 3
at 1s submit -d afternotok:1 --runs 5s
> job 4
at 1s submit -d afterok:1?afternotok:1 --runs 5s
> job 5
at 1s submit -d afterany:1:2 --runs 5s
> job 6
at 1s submit -d after:1+1 --runs 5s
> job 7
at 1s submit -d afterok:2 --kill-on-invalid-dep --runs 5s
> job 8
at 1s submit -d afterok:8 --kill-on-invalid-dep --runs 5s
> job 9
at 1s submit -d afterok:999 --runs 5s
> refused: Job dependency problem (there has been no job 999)
at 1s submit --runs 5s
> job 10
> at 1s launch job 10 on n3
at 1s submit -d foo:1
> refused: Job dependency problem (dependency "foo:1": "foo" is none of after, afterany, afterburstbuffer, aftercorr, afternotok, afterok, singleton)
at 1s submit -d afterok:11
> refused: Job dependency problem (there has been no job 11)
at 1s submit --runs 500ms
> job 11
> at 1s launch job 11 on n4
at 2s show jobs
> at 1.5s job 11 COMPLETED
> at 1.5s terminate job 11 on n4
>  1 p      R   0:01 1 n1
>  2 p      R   0:01 1 n2
>  3 p      PD  0:00 1 (Dependency)
>  4 p      PD  0:00 1 (Dependency)
>  5 p      PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
>  7 p      PD  0:00 1 (Dependency)
>  8 p      PD  0:00 1 (Dependency)
>  9 p      PD  0:00 1 (Dependency)
> 10 p      R   0:01 1 n3
at 12s show jobs
> at 6s job 10 COMPLETED
> at 6s terminate job 10 on n3
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> at 11.001s launch job 3 on n1
> at 11.001s launch job 5 on n3
>  2 p      R   0:11 1 n2
>  3 p      R   0:00 1 n1
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
>  5 p      R   0:00 1 n3
>  6 p      PD  0:00 1 (Dependency)
>  7 p      PD  0:00 1 (Dependency)
>  8 p      PD  0:00 1 (Dependency)
>  9 p      PD  0:00 1 (Dependency)
at 13s show job 4
> job 4 PENDING Reason=DependencyNeverSatisfied Priority=4294901756 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 22s show jobs
> at 16.001s job 3 COMPLETED
> at 16.001s terminate job 3 on n1
> at 16.001s job 5 COMPLETED
> at 16.001s terminate job 5 on n3
> at 21s job 2 FAILED
> at 21s terminate job 2 on n2
> at 21.001s job 8 CANCELLED
> at 21.001s job 9 CANCELLED
> at 21.001s launch job 6 on n1
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
>  6 p      R   0:00 1 n1
>  7 p      PD  0:00 1 (Dependency)
at 23s show job 8
> job 8 CANCELLED Reason=DependencyNeverSatisfied Priority=4294901752 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 23s show job 9
> job 9 CANCELLED Reason=DependencyNeverSatisfied Priority=4294901751 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 62s show jobs
> at 26.001s job 6 COMPLETED
> at 26.001s terminate job 6 on n1
> at 61s launch job 7 on n1
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
>  7 p      R   0:01 1 n1
at 70s submit -J x --runs 10s
> at 66s job 7 COMPLETED
> at 66s terminate job 7 on n1
> job 12
> at 70s launch job 12 on n1
at 70s submit -J x -d singleton --runs 10s
> job 13
at 70s submit -J x -d singleton --hold --runs 10s
> job 14
at 70s submit -J x -d singleton --runs 10s
> job 15
at 71s show jobs
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
> 12 p      R   0:01 1 n1
> 13 p      PD  0:00 1 (Dependency)
> 14 p      PD  0:00 1 (JobHeldUser)
> 15 p      PD  0:00 1 (Dependency)
at 82s show jobs
> at 80s job 12 COMPLETED
> at 80s terminate job 12 on n1
> at 80.001s launch job 13 on n1
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
> 13 p      R   0:01 1 n1
> 14 p      PD  0:00 1 (JobHeldUser)
> 15 p      PD  0:00 1 (Dependency)
at 83s cancel 13
> at 83s job 13 CANCELLED
> at 83s terminate job 13 on n1
at 83s show jobs
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
> 13 p      CG  0:02 1 n1
> 14 p      PD  0:00 1 (JobHeldUser)
> 15 p      PD  0:00 1 (Dependency)
at 200s submit --runs 10s --exit=1
> job 16
> at 200s launch job 16 on n1
at 200s submit -d afterok:15 --runs 10s
> job 17
at 220s show jobs
> at 210s job 16 FAILED
> at 210s terminate job 16 on n1
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
> 14 p      PD  0:00 1 (JobHeldUser)
> 15 p      PD  0:00 1 (Dependency)
> 17 p      PD  0:00 1 (Dependency)
at 221s requeue 15
> refused: Job is pending execution
at 222s show jobs
>  4 p      PD  0:00 1 (DependencyNeverSatisfied)
> 14 p      PD  0:00 1 (JobHeldUser)
> 15 p      PD  0:00 1 (Dependency)
> 17 p      PD  0:00 1 (Dependency)
