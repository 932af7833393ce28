Where nodes are planned as a whole, too, a node of which a reservation has cores (CoreCnt) and that boots for a job in it is planned for the jobs outside as a node with power, from when it is up.
conf
yaml plan_whole_nodes: yes
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=10000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
Licenses=a:1
NodeName=a1 CPUs=4
NodeName=c[1-2] CPUs=4 State=CLOUD
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
The boot takes 60 s at most. The license is free before.
at 11s submit -n2 -N1 -L a:1 -t 5m --runs 100s
> job 4
at 12s show plan
> 4 at 70s on c1 until 370s
at 35s show plan
> at 30s launch job 3 on c1
> 4 at 62s on c1 until 362s
at 100s show jobs
> at 62s job 1 COMPLETED
> at 62s terminate job 1 on a1
> at 62.001s launch job 4 on c1
>  2 p      R   1:38 1 a1
>  3 p      R   1:10 1 c1
>  4 p      R   0:37 1 c1
