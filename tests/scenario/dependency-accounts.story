A dependency on a job that the controller has forgotten is decided by the accounts, which are asked once for each job.
conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=ALL Default=YES
MinJobAge=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s accounts kept
at 1s submit --runs 1s
> job 1
> at 1s launch job 1 on n1
at 1s submit --runs 1s --exit=3
> job 2
> at 1s launch job 2 on n2
at 1s submit --array 0-3 --runs 1s
> job 3
> at 1s launch job 4 on n3
> at 1s launch job 5 on n4
at 30s show jobs
> at 2s job 1 COMPLETED
> at 2s terminate job 1 on n1
> at 2s job 2 FAILED
> at 2s terminate job 2 on n2
> at 2s job 4 COMPLETED
> at 2s terminate job 4 on n3
> at 2s job 5 COMPLETED
> at 2s terminate job 5 on n4
> at 2.001s launch job 6 on n1
> at 2.001s launch job 3 on n2
> at 3.001s job 6 COMPLETED
> at 3.001s terminate job 6 on n1
> at 3.001s job 3 COMPLETED
> at 3.001s terminate job 3 on n2
Nothing is known of them now.
at 31s submit -d afterok:1 --runs 5s
> job 7
> at 31s ask-accounts job 1
at 31s submit -d afterok:1 --runs 5s
> job 8
at 31s submit -d afterok:2 --runs 5s
> job 9
> at 31s ask-accounts job 2
at 31s submit -d afternotok:2,afterany:1 --runs 5s
> job 10
at 32s show jobs
>  7 p      PD  0:00 1 (Dependency)
>  8 p      PD  0:00 1 (Dependency)
>  9 p      PD  0:00 1 (Dependency)
> 10 p      PD  0:00 1 (Dependency)
at 33s answer 1 COMPLETED@1
> at 33s launch job 7 on n1
> at 33s launch job 8 on n2
at 33s answer 2 FAILED@1
> at 33s launch job 10 on n3
at 34s show jobs
>  7 p      R   0:01 1 n1
>  8 p      R   0:01 1 n2
>  9 p      PD  0:00 1 (DependencyNeverSatisfied)
> 10 p      R   0:01 1 n3
at 35s show job 9
> job 9 PENDING Reason=DependencyNeverSatisfied Priority=4294901754 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 36s cancel 9
> at 36s job 9 CANCELLED
Tasks, a list, all of them; those that never had records of their own.
at 40s submit -d afterok:3_[0-1] --runs 1s
> at 38s job 7 COMPLETED
> at 38s terminate job 7 on n1
> at 38s job 8 COMPLETED
> at 38s terminate job 8 on n2
> at 38s job 10 COMPLETED
> at 38s terminate job 10 on n3
> job 11
> at 40s ask-accounts job 3
at 40s submit -d afterok:3_2 --runs 1s
> job 12
at 40s submit -d afterok:3 --runs 1s
> job 13
at 40s submit -d afternotok:3_9 --runs 1s
> job 14
at 40s submit -d afternotok:3_* --runs 1s
> job 15
at 40s answer 3 0=FAILED 0=COMPLETED 1=COMPLETED [2-3]=CANCELLED
> at 40s launch job 11 on n1
> at 40s launch job 15 on n2
at 41s show jobs
> at 41s job 11 COMPLETED
> at 41s terminate job 11 on n1
> at 41s job 15 COMPLETED
> at 41s terminate job 15 on n2
> 11 p      CG  0:01 1 n1
> 12 p      PD  0:00 1 (DependencyNeverSatisfied)
> 13 p      PD  0:00 1 (DependencyNeverSatisfied)
> 14 p      PD  0:00 1 (DependencyNeverSatisfied)
> 15 p      CG  0:01 1 n2
at 42s cancel 12
> at 42s job 12 CANCELLED
at 42s cancel 13
> at 42s job 13 CANCELLED
at 42s cancel 14
> at 42s job 14 CANCELLED
Each task of an array waits for that of the same number.
at 50s submit --array 0-3 -d aftercorr:3 --runs 1s
> job 16
> at 50s ask-accounts job 3
at 50s answer 3 0=COMPLETED 1=COMPLETED 2=FAILED 3=COMPLETED
> at 50s launch job 16 on n1
> at 50s launch job 17 on n2
> at 50s launch job 18 on n3
at 55s show jobs
> at 51s job 16 COMPLETED
> at 51s terminate job 16 on n1
> at 51s job 17 COMPLETED
> at 51s terminate job 17 on n2
> at 51s job 18 COMPLETED
> at 51s terminate job 18 on n3
> 16_2 p      PD  0:00 1 (DependencyNeverSatisfied)
at 56s cancel 16_2
> at 56s job 19 CANCELLED
Of one that all completed the tasks stay together.
at 60s submit --array 0-3 -d aftercorr:3 --runs 1s
> job 20
> at 60s ask-accounts job 3
at 60s answer 3 0=COMPLETED 1=COMPLETED 2=COMPLETED 3=COMPLETED
> at 60s launch job 21 on n1
> at 60s launch job 22 on n2
> at 60s launch job 23 on n3
> at 60s launch job 20 on n4
at 60s show jobs
> 20_3 p      R   0:00 1 n4
> 20_0 p      R   0:00 1 n1
> 20_1 p      R   0:00 1 n2
> 20_2 p      R   0:00 1 n3
A component; the whole.
at 70s submit -d afterok:4+1 --runs 1s
> at 61s job 21 COMPLETED
> at 61s terminate job 21 on n1
> at 61s job 22 COMPLETED
> at 61s terminate job 22 on n2
> at 61s job 23 COMPLETED
> at 61s terminate job 23 on n3
> at 61s job 20 COMPLETED
> at 61s terminate job 20 on n4
> job 24
> at 70s ask-accounts job 4
at 70s submit -d afterok:4 --runs 1s
> job 25
at 70s submit -d afterok:4+7?afterok:4+0 --runs 1s
> job 26
at 70s answer 4 +0=COMPLETED +1=FAILED
> at 70s launch job 26 on n1
at 72s show jobs
> at 71s job 26 COMPLETED
> at 71s terminate job 26 on n1
> 24 p      PD  0:00 1 (DependencyNeverSatisfied)
> 25 p      PD  0:00 1 (DependencyNeverSatisfied)
at 73s cancel 24
> at 73s job 24 CANCELLED
at 73s cancel 25
> at 73s job 25 CANCELLED
A time after the start.
at 80s submit -d after:1+2 --runs 1s
> job 27
> at 80s ask-accounts job 1
at 80s answer 1 COMPLETED@30
at 149s show jobs
> 27 p      PD  0:00 1 (Dependency)
at 150s answer 1 COMPLETED@30
> at 150s ask-accounts job 1
> at 150s launch job 27 on n1
at 152s show jobs
> at 151s job 27 COMPLETED
> at 151s terminate job 27 on n1
Accounts that cannot be read are asked again; that outlives the controller, which asks at its start.
at 160s submit -d afterok:1 --runs 1s
> job 28
> at 160s ask-accounts job 1
at 160s answer 1 fails
at 161s show jobs
> 28 p      PD  0:00 1 (Dependency)
at 220s show jobs
> at 220s ask-accounts job 1
> 28 p      PD  0:00 1 (Dependency)
at 221s kill
> at 221s ask-accounts job 1
at 222s show jobs
> 28 p      PD  0:00 1 (Dependency)
at 223s answer 1 COMPLETED
> at 223s launch job 28 on n1
at 224s show jobs
> at 224s job 28 COMPLETED
> at 224s terminate job 28 on n1
> 28 p      CG  0:01 1 n1
Where they know nothing of it no success is known, and no failure.
at 230s submit -d afterok:5 --runs 1s
> job 29
> at 230s ask-accounts job 5
at 230s submit -d afternotok:5 --runs 1s
> job 30
at 230s submit -d afterany:5 --runs 1s
> job 31
> at 230s launch job 31 on n1
at 230s submit -d afterok:5?afterany:5 --runs 1s
> job 32
> at 230s launch job 32 on n2
at 230s answer 5 none
at 232s show jobs
> at 231s job 31 COMPLETED
> at 231s terminate job 31 on n1
> at 231s job 32 COMPLETED
> at 231s terminate job 32 on n2
> 29 p      PD  0:00 1 (DependencyNeverSatisfied)
> 30 p      PD  0:00 1 (DependencyNeverSatisfied)
at 233s cancel 29
> at 233s job 29 CANCELLED
at 233s cancel 30
> at 233s job 30 CANCELLED
An id that was never given is refused.
at 240s submit -d afterok:999 --runs 1s
> refused: Job dependency problem (there has been no job 999)
at 240s submit -d afterany:1:998 --runs 1s
> refused: Job dependency problem (there has been no job 998)
at 240s submit --hold --runs 1s
> job 33
at 241s update JobId=33 Dependency=afterok:999
> refused: Job dependency problem (there has been no job 999)
The accounts may have rows of an older state, whose ids were the same: the job that had the id last counts.
at 250s submit -d afterok:3 --runs 1s
> job 34
> at 250s ask-accounts job 3
at 250s answer 3 0=COMPLETED^1 1=FAILED^1 2=COMPLETED^1 0=COMPLETED^5 1=COMPLETED^5
> at 250s launch job 34 on n1
at 252s submit -d afternotok:3_2 --runs 1s
> at 251s job 34 COMPLETED
> at 251s terminate job 34 on n1
> job 35
> at 252s ask-accounts job 3
at 252s answer 3 2=FAILED^1 0=COMPLETED^5 1=COMPLETED^5
at 253s show jobs
> 33 p      PD  0:00 1 (JobHeldUser)
> 35 p      PD  0:00 1 (DependencyNeverSatisfied)
Any end meets afterany: nobody is asked.
at 260s submit -d afterany:3 --runs 1s
> job 36
> at 260s launch job 36 on n1
at 260s submit --array 0-1 -d afterburstbuffer:3_1 --runs 1s
> job 37
> at 260s launch job 38 on n2
> at 260s launch job 37 on n3
at 260s submit -d afterany:2,afterok:1 --runs 1s
> job 39
> at 260s ask-accounts job 1
at 262s show jobs
> at 261s job 36 COMPLETED
> at 261s terminate job 36 on n1
> at 261s job 38 COMPLETED
> at 261s terminate job 38 on n2
> at 261s job 37 COMPLETED
> at 261s terminate job 37 on n3
> 33 p      PD  0:00 1 (JobHeldUser)
> 35 p      PD  0:00 1 (DependencyNeverSatisfied)
> 39 p      PD  0:00 1 (Dependency)
