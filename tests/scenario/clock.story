The wall clock is set while the controller runs: no deadline moves, only what was asked for by the clock.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=100
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=20
ResumeTimeout=60
NodeName=n[1-4] CPUs=2 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s fault never-registers n4
at 1s submit -w n1 -c2 -t 300s
> job 1
> at 1s launch job 1 on n1
at 2s submit -w n2 -c2 --begin 1000s
> job 2
at 2s submit -w n2 -c2 --begin 1200s
> job 3
at 3s submit -w n3 -c2 --runs 40s
> job 4
> at 3s launch job 4 on n3
SuspendTime of n3, from 43 s on, is over at 143 s; the job's limit at 301 s.
at 50s clock back 20h
> at 43s job 4 COMPLETED
> at 43s terminate job 4 on n3
at 60s show jobs
>  1 main   R   0:59 1 n1
>  2 main   PD  0:00 1 (BeginTime)
>  3 main   PD  0:00 1 (BeginTime)
at 100s clock forward 10h
> at 100s suspend n[2,4]
at 160s show jobs
> at 143.001s suspend n3
>  1 main   R   2:39 1 n1
>  2 main   PD  0:00 1 (BeginTime)
>  3 main   PD  0:00 1 (BeginTime)
Back where it was: the begin times are as far away as they were.
at 200s clock forward 10h
at 400s show jobs
> at 301s job 1 TIMEOUT
> at 301s terminate job 1 on n1
>  2 main   PD  0:00 1 (BeginTime)
>  3 main   PD  0:00 1 (BeginTime)
Now they come 500 s earlier.
at 420s clock forward 500s
> at 401.001s suspend n1
at 800s show jobs
> at 502s resume n2 (job 2: n2)
> at 522s launch job 2 on n2
>  2 main   R   4:38 1 n2
>  3 main   PD  0:00 1 (Resources)
A boot is given its 60 s.
at 900s submit -w n4 -c2 -t 100s
> job 5
> at 900s resume n4 (job 5: n4)
at 910s clock forward 1h
at 950s clock back 3h
at 1000s show jobs
> at 960s job 5 is requeued
> at 960s resume-fail n4
>  2 main   R   7:58 1 n2
>  3 main   PD  0:00 1 (BeginTime)
>  5 main   PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n4)
A lost agent is given its SlurmdTimeout.
at 1100s submit -w n3 -c2 --runs 1000s
> job 6
> at 1100s resume n3 (job 6: n3)
at 1200s cut n3
> at 1120s launch job 6 on n3
at 1250s clock back 5h
at 1320s show jobs
> at 1300s job 6 is requeued
>  2 main   R  13:18 1 n2
>  3 main   PD  0:00 1 (BeginTime)
>  5 main   PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n4)
>  6 main   PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n3)
