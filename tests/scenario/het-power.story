Nodes of all components are woken together, and the time of all begins when the slowest is up.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=300
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s delay boot 10s
at 1s submit -N1 -t 60s --runs 30s : -N1
> job 1, with components up to 2
> at 1s resume n[1-2] (job 1: n1; job 2: n2)
at 2s show jobs
>  1 p      CF  0:00 1 n1
>  2 p      CF  0:00 1 n2
at 3s switch on n1
at 10s show jobs
>  1 p      CF  0:00 1 n1
>  2 p      CF  0:00 1 n2
at 12s show jobs
> at 11s n1 registers
> at 11s n2 registers
> at 11s launch job 1 on n1
>  1 p      R   0:01 1 n1
>  2 p      R   0:01 1 n2
at 45s show jobs
> at 41s job 1 COMPLETED
> at 41s terminate job 1 on n1
> at 41s job 2 COMPLETED
A node of the second component does not come up: both wait again, and start together elsewhere.
at 100s fault never-registers n3
at 100s submit -N1 --runs 30s : -N1 -w n3
> job 3, with components up to 4
> at 100s resume n3 (job 4: n3)
at 165s show jobs
> at 160s job 4 is requeued
> at 160s job 3 is requeued
> at 160s resume-fail n3
>  3 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n3)
>  4 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n3)
at 166s cancel 3
> at 166s job 3 CANCELLED
> at 166s job 4 CANCELLED
at 167s show jobs
A node of the second component fails: both are sent back, and start again together.
at 400s submit -N1 --runs 100s : -N1
> at 341s suspend n2
> at 346s n2 is lost
> job 5, with components up to 6
> at 400s resume n2 (job 6: n2)
at 420s show jobs
> at 410s n2 registers
> at 410s launch job 5 on n1
>  5 p      R   0:10 1 n1
>  6 p      R   0:10 1 n2
at 421s admin n2 DOWN broken
> at 421s job 6 is requeued
> at 421s job 5 is requeued
> at 421s terminate job 5 on n1
at 422s show jobs
> at 421.001s resume n4 (job 6: n4)
>  5 p      CF  0:00 1 n1
>  6 p      CF  0:00 1 n4
at 440s show jobs
> at 431.001s n4 registers
> at 431.001s launch job 5 on n1
>  5 p      R   0:08 1 n1
>  6 p      R   0:08 1 n4
at 560s show jobs
> at 531.001s job 5 COMPLETED
> at 531.001s terminate job 5 on n1
> at 531.001s job 6 COMPLETED
