max_powered_nodes: a node of which a reservation has cores (CoreCnt) and that boots for a job in it has power for the jobs outside, too: they are planned there from when it is up, not by a boot of their own.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=10000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=max_powered_nodes=3
Licenses=a:1
NodeName=a1 CPUs=4
NodeName=c[1-3] CPUs=4 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s a1 registers
at 1s reserve ReservationName=r StartTime=now Duration=1000 Users=user Nodes=c1 CoreCnt=2
> reservation r
at 2s submit -n1 -w a1 -L a:1 -t 1m --runs 60s
> job 1
> at 2s launch job 1 on a1
at 2s submit -n3 -w a1 -t 60m --runs 3000s
> job 2
> at 2s launch job 2 on a1
at 10s submit --reservation r -n2 -t 60m --runs 600s
> job 3
> at 10s resume c1 (job 3: c1)
at 10s submit -N1 -w c2 --exclusive -t 60m --runs 3000s
> job 4
> at 10s resume c2 (job 4: c2)
The boot takes 60 s at most. One waits for the license, and one behind it for the same cores of c1.
at 11s submit -n2 -N1 -L a:1 -t 5m --runs 100s
> job 5
at 12s submit -n2 -N1 -w c1 -t 5m --runs 100s
> job 6
at 13s show plan
> 5 at 70s on c1 until 370s
> 6 at 370s on c1 until 670s
at 35s show plan
> at 30s launch job 3 on c1
> at 30s launch job 4 on c2
> 5 at 62s on c1 until 362s
> 6 at 362s on c1 until 662s
at 400s show jobs
> at 62s job 1 COMPLETED
> at 62s terminate job 1 on a1
> at 62.001s launch job 5 on c1
> at 162.001s job 5 COMPLETED
> at 162.001s terminate job 5 on c1
> at 162.002s launch job 6 on c1
> at 262.002s job 6 COMPLETED
> at 262.002s terminate job 6 on c1
>  2 p      R   6:38 1 a1
>  3 p      R   6:10 1 c1
>  4 p      R   6:10 1 c2
