Job arrays: tasks get records as they start, limits, one task alone, dependencies on all, one and each.
conf
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
MinJobAge=1000
MaxArraySize=100
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit --array 0-6%3 --runs 10s
> job 1
> at 1s launch job 2 on n1
> at 1s launch job 3 on n1
> at 1s launch job 4 on n2
at 1s submit -d afterok:1 --runs 5s
> job 5
at 1s submit -d afterok:1_6 --runs 5s
> job 6
at 1s submit --array 0-6:2 -d aftercorr:1 --runs 5s
> job 7
at 2s show jobs
> 1_[3-6] p      PD  0:00 1 (JobArrayTaskLimit)
> 1_0 p      R   0:01 1 n1
> 1_1 p      R   0:01 1 n1
> 1_2 p      R   0:01 1 n2
>  5 p      PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
> 7_6 p      PD  0:00 1 (Dependency)
> 7_0 p      PD  0:00 1 (Dependency)
> 7_2 p      PD  0:00 1 (Dependency)
> 7_4 p      PD  0:00 1 (Dependency)
at 3s cancel 1_5
> at 3s job 11 CANCELLED
at 3s hold 1_4
at 4s show jobs
> 1_[3,6] p      PD  0:00 1 (JobArrayTaskLimit)
> 1_0 p      R   0:03 1 n1
> 1_1 p      R   0:03 1 n1
> 1_2 p      R   0:03 1 n2
>  5 p      PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
> 7_6 p      PD  0:00 1 (Dependency)
> 7_0 p      PD  0:00 1 (Dependency)
> 7_2 p      PD  0:00 1 (Dependency)
> 7_4 p      PD  0:00 1 (Dependency)
> 1_4 p      PD  0:00 1 (JobHeldAdmin)
at 12s show jobs
> at 11s job 2 COMPLETED
> at 11s terminate job 2 on n1
> at 11s job 3 COMPLETED
> at 11s terminate job 3 on n1
> at 11s job 4 COMPLETED
> at 11s terminate job 4 on n2
> at 11.001s launch job 13 on n1
> at 11.001s launch job 8 on n2
> at 11.001s launch job 1 on n1
> at 11.001s launch job 9 on n2
> 1_6 p      R   0:00 1 n1
>  5 p      PD  0:00 1 (Dependency)
>  6 p      PD  0:00 1 (Dependency)
> 7_6 p      PD  0:00 1 (Dependency)
> 7_0 p      R   0:00 1 n2
> 7_2 p      R   0:00 1 n2
> 7_4 p      PD  0:00 1 (Dependency)
> 1_4 p      PD  0:00 1 (JobHeldAdmin)
> 1_3 p      R   0:00 1 n1
at 30s show jobs
> at 16.001s job 8 COMPLETED
> at 16.001s terminate job 8 on n2
> at 16.001s job 9 COMPLETED
> at 16.001s terminate job 9 on n2
> at 21.001s job 13 COMPLETED
> at 21.001s terminate job 13 on n1
> at 21.001s job 1 COMPLETED
> at 21.001s terminate job 1 on n1
> at 21.002s launch job 6 on n1
> at 21.002s launch job 7 on n1
> at 26.002s job 6 COMPLETED
> at 26.002s terminate job 6 on n1
> at 26.002s job 7 COMPLETED
> at 26.002s terminate job 7 on n1
>  5 p      PD  0:00 1 (Dependency)
> 7_4 p      PD  0:00 1 (Dependency)
> 1_4 p      PD  0:00 1 (JobHeldAdmin)
at 31s release 1_4
> at 31s launch job 12 on n1
at 50s show jobs
> at 41s job 12 COMPLETED
> at 41s terminate job 12 on n1
> at 41.001s launch job 10 on n1
> at 46.001s job 10 COMPLETED
> at 46.001s terminate job 10 on n1
>  5 p      PD  0:00 1 (DependencyNeverSatisfied)
at 51s show job 1
> job 1 COMPLETED Reason=None Priority=4294901759 Restarts=0 RunTime=00:00:10 Nodes=n1 CPUs=1 Exit=0:0
at 60s submit --array 3-1
> refused: Invalid job array specification (array "3-1": 3-1 goes backwards)
at 60s submit --array 0-100
> refused: Invalid job array specification (array "0-100": 100 is more than 99)
at 60s submit --array 1-3:0
> refused: Invalid job array specification (array "1-3:0": a step of 0)
at 60s submit --array x
> refused: Invalid job array specification (array "x": an index is expected at "x")
at 60s submit --array 1,1,1 --exit=1 --runs 1s
> job 14
> at 60s launch job 14 on n1
at 60s submit -d afternotok:17 --runs 1s
> refused: Job dependency problem (there has been no job 17)
at 60s submit --runs 1s
> job 15
> at 60s launch job 15 on n1
at 70s show jobs
> at 61s job 14 FAILED
> at 61s terminate job 14 on n1
> at 61s job 15 COMPLETED
> at 61s terminate job 15 on n1
>  5 p      PD  0:00 1 (DependencyNeverSatisfied)
at 80s submit --array 1-2 --hold
> job 16
at 81s show jobs
>  5 p      PD  0:00 1 (DependencyNeverSatisfied)
> 16_[1-2] p      PD  0:00 1 (JobHeldUser)
at 82s cancel 16
> at 82s job 16 CANCELLED
at 83s show job 16
> job 16 CANCELLED Reason=None Priority=0 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 84s submit --array [1-4%9] --runs 20s -J s
> job 17
> at 84s launch job 18 on n1
> at 84s launch job 19 on n1
> at 84s launch job 20 on n2
> at 84s launch job 17 on n2
at 84s submit --array 1-4 --runs 20s -J s -d singleton
> job 21
at 85s show jobs
>  5 p      PD  0:00 1 (DependencyNeverSatisfied)
> 17_4 p      R   0:01 1 n2
> 17_1 p      R   0:01 1 n1
> 17_2 p      R   0:01 1 n1
> 17_3 p      R   0:01 1 n2
> 21_[1-4] p      PD  0:00 1 (Dependency)
at 110s show jobs
> at 104s job 18 COMPLETED
> at 104s terminate job 18 on n1
> at 104s job 19 COMPLETED
> at 104s terminate job 19 on n1
> at 104s job 20 COMPLETED
> at 104s terminate job 20 on n2
> at 104s job 17 COMPLETED
> at 104s terminate job 17 on n2
> at 104.001s launch job 22 on n1
> at 104.001s launch job 23 on n1
> at 104.001s launch job 24 on n2
> at 104.001s launch job 21 on n2
>  5 p      PD  0:00 1 (DependencyNeverSatisfied)
> 21_4 p      R   0:05 1 n2
> 21_1 p      R   0:05 1 n1
> 21_2 p      R   0:05 1 n1
> 21_3 p      R   0:05 1 n2
at 111s requeue 17_1
at 112s show jobs
>  5 p      PD  0:00 1 (DependencyNeverSatisfied)
> 17_1 p      PD  0:00 1 (Resources)
> 21_4 p      R   0:07 1 n2
> 21_1 p      R   0:07 1 n1
> 21_2 p      R   0:07 1 n1
> 21_3 p      R   0:07 1 n2
