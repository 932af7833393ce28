PowerDownOnIdle: a node of such a partition goes off as soon as it falls idle, whatever SuspendTime and exclusions say.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=1000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendExcParts=excl
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-3] CPUs=2
NodeName=u[1-2] CPUs=4
NodeName=c[1-2] CPUs=2 State=CLOUD
PartitionName=p Nodes=n[1-2],c1 Default=YES PowerDownOnIdle=YES
PartitionName=excl Nodes=n3 PowerDownOnIdle=YES OverSubscribe=EXCLUSIVE
PartitionName=own Nodes=u1 PowerDownOnIdle=YES ExclusiveUser=YES
PartitionName=ask Nodes=u2 PowerDownOnIdle=YES
PartitionName=plain Nodes=n[1-3],c2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s u1 registers
> at 0s u2 registers
The first case: all running jobs have ended and no other was given the node.
at 1s submit -p p -n1 --runs 10s
> job 1
> at 1s launch job 1 on n1
at 2s show nodes
> n1 mix!
> n[2-3],u[1-2] idle
> c[1-2] idle~
A second job may still come while the first runs, also one of another partition.
at 3s submit -p plain -w n1 -n1 --runs 30s
> job 2
> at 3s launch job 2 on n1
at 12s show nodes
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> n1 mix!
> n[2-3],u[1-2] idle
> c[1-2] idle~
at 40s show nodes
> at 33s job 2 COMPLETED
> at 33s terminate job 2 on n1
> at 33.001s suspend n1
> n1 idle%
> n[2-3],u[1-2] idle
> c[1-2] idle~
Exclusive: between its jobs, although the next one waits already.
at 100s submit -p excl --runs 10s
> job 3
> at 100s launch job 3 on n3
at 101s submit -p excl --runs 10s
> job 4
at 105s show jobs
>  3 excl   R   0:05 1 n3
>  4 excl   PD  0:00 1 (Resources)
at 112s show nodes
> at 110s job 3 COMPLETED
> at 110s terminate job 3 on n3
> at 110.001s suspend n3
> n1,c[1-2] idle~
> n2,u[1-2] idle
> n3 idle%
at 200s show nodes
> at 120.001s resume n3 (job 4: n3)
> at 140.001s launch job 4 on n3
> at 150.001s job 4 COMPLETED
> at 150.001s terminate job 4 on n3
> at 150.002s suspend n3
> n[1,3],c[1-2] idle~
> n2,u[1-2] idle
A cloud node keeps the request over its boot; if its job is cancelled while it boots it goes off after the boot.
at 300s submit -p p -w c1 -n1 --runs 5s
> job 5
> at 300s resume c1 (job 5: c1)
at 301s show nodes
> n[1,3],c2 idle~
> n2,u[1-2] idle
> c1 mix#
at 400s show nodes
> at 320s launch job 5 on c1
> at 325s job 5 COMPLETED
> at 325s terminate job 5 on c1
> at 325.001s suspend c1
> n[1,3],c[1-2] idle~
> n2,u[1-2] idle
at 500s submit -p p -w c1 -n1 --runs 5s
> job 6
> at 500s resume c1 (job 6: c1)
at 505s cancel 6
> at 505s job 6 CANCELLED
at 506s show nodes
> n[1,3],c2 idle~
> n2,u[1-2] idle
> c1 idle#
at 600s show nodes
> at 520s suspend c1
> n[1,3],c[1-2] idle~
> n2,u[1-2] idle
ExclusiveUser: when all jobs of one user have ended, before one of another's; until then the same user's come to it.
at 700s submit -p own -n1 --uid=1 --runs 10s
> job 7
> at 700s launch job 7 on u1
at 701s submit -p own -n1 --uid=1 --runs 20s
> job 8
> at 701s launch job 8 on u1
at 702s submit -p own -n1 --uid=2 --runs 10s
> job 9
at 703s show jobs
>  7 own    R   0:03 1 u1
>  8 own    R   0:02 1 u1
>  9 own    PD  0:00 1 (Resources)
at 715s show nodes
> at 710s job 7 COMPLETED
> at 710s terminate job 7 on u1
> n[1,3],c[1-2] idle~
> n2,u2 idle
> u1 mix!
at 720s show jobs
>  8 own    R   0:19 1 u1
>  9 own    PD  0:00 1 (Resources)
at 722s show nodes
> at 721s job 8 COMPLETED
> at 721s terminate job 8 on u1
> at 721.001s suspend u1
> n[1,3],c[1-2] idle~
> n2,u2 idle
> u1 idle%
at 760s show nodes
> at 731.001s resume u1 (job 9: u1)
> at 751.001s launch job 9 on u1
> n[1,3],c[1-2] idle~
> n2,u2 idle
> u1 mix!
The same where the job, not the partition, wants the node for its user. The user's other job has waited longer, but comes after the node was off.
at 800s submit -p ask -n2 --exclusive=user --uid=1 --runs 10s
> at 761.001s job 9 COMPLETED
> at 761.001s terminate job 9 on u1
> at 761.002s suspend u1
> job 10
> at 800s launch job 10 on u2
at 800s submit -p ask -n4 --uid=1 --runs 20s
> job 11
at 800s submit -p ask -n4 --uid=2 --runs 10s
> job 12
at 801s show jobs
> 10 ask    R   0:01 1 u2
> 11 ask    PD  0:00 1 (Resources)
> 12 ask    PD  0:00 1 (Priority)
at 811s show nodes
> at 810s job 10 COMPLETED
> at 810s terminate job 10 on u2
> at 810.001s suspend u2
> n[1,3],u1,c[1-2] idle~
> n2 idle
> u2 idle%
at 900s show nodes
> at 820.001s resume u2 (job 11: u2)
> at 840.001s launch job 11 on u2
> at 860.001s job 11 COMPLETED
> at 860.001s terminate job 11 on u2
> at 860.002s suspend u2
> at 870.002s resume u2 (job 12: u2)
> at 890.002s launch job 12 on u2
> n[1,3],u1,c[1-2] idle~
> n2 idle
> u2 alloc!
