Dynamic nodes come, by slumberd -Z and by scontrol create, and go: jobs that wait for them start, CLOUD ones sleep and wake, nothing
that is in use goes.
conf
SelectType=select/linear
MaxNodeCount=5
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=60
SuspendTimeout=20
ResumeTimeout=60
SuspendExcNodes=n1
NodeName=n1 CPUs=4
NodeSet=fast Feature=f1
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
PartitionName=quick Nodes=fast
end
at 0s submit -N1 --runs 500s -t 10m
> at 0s n1 registers
> job 1
> at 0s launch job 1 on n1
at 0s submit -N2 --runs 100s -t 10m
> job 2
A node joins: job 2 has two nodes when another one does.
at 10s join NodeName=d2 CPUs=4 RealMemory=1000
at 40s show jobs
> at 30s d2 registers
>  1 main   R   0:40 1 n1
>  2 main   PD  0:00 2 (Resources)
at 40s join NodeName=d1 CPUs=4 RealMemory=1000 Feature=f1
at 80s show jobs
> at 60s d1 registers
> at 60s launch job 2 on d2
>  1 main   R   1:20 1 n1
>  2 main   R   0:20 2 d[2,1]
at 80s delete d1
> refused: node d1 has job 2
at 80s delete n1
> refused: node n1 is configured in slurm.conf: only dynamic nodes can be deleted
at 80s delete d9
> refused: there is no node d9
at 80s join NodeName=d1 CPUs=4
> refused: node d1 exists already
at 80s submit -p quick -N1 --runs 10s -t 10m
> job 3
at 300s show jobs
> at 160s job 2 COMPLETED
> at 160s terminate job 2 on d2
> at 160s launch job 3 on d1
> at 170s job 3 COMPLETED
> at 170s terminate job 3 on d1
> at 220.001s suspend d2
> at 225.001s d2 is lost
> at 230.001s suspend d1
> at 235.001s d1 is lost
>  1 main   R   5:00 1 n1
They sleep as any other node, be they CLOUD or not (SuspendExcStates=DYNAMIC_NORM takes those out that are not).
at 300s show nodes
> n1 alloc
> d[2,1] idle~
at 300s join NodeName=c1 CPUs=4 RealMemory=1000 Feature=cold State=CLOUD
at 300s submit -N1 -w c1 --runs 10s -t 10m
> job 4
> at 300s resume c1 (job 4: c1)
at 400s show nodes
> at 320s c1 registers
> at 320s launch job 4 on c1
> at 330s job 4 COMPLETED
> at 330s terminate job 4 on c1
> at 390.001s suspend c1
> at 395.001s c1 is lost
> n1 alloc
> d[2,1] idle~
> c1 idle%
at 600s show nodes
> at 500s job 1 COMPLETED
> at 500s terminate job 1 on n1
> n1 idle
> d[2,1],c1 idle~
at 600s delete d1
at 600s kill
at 620s show nodes
> at 600.5s n1 registers
> n1 idle
> d2,c1 idle~
at 620s delete c1
at 620s join NodeName=e[1-4] CPUs=4
> refused: there are 2 nodes, and MaxNodeCount is 5
at 620s join NodeName=e[1-3] CPUs=4
at 700s submit -N5 --runs 10s -t 10m
> at 640s e1 registers
> at 640s e2 registers
> at 640s e3 registers
> at 700s suspend e[1-3]
> job 5
at 800s show nodes
> at 705s e1 is lost
> at 705s e2 is lost
> at 705s e3 is lost
> at 720s launch job 5 on n1
> at 720s resume d2,e[1-3] (job 5: d2,e[1-3])
> at 730s job 5 COMPLETED
> at 730s terminate job 5 on n1
> at 740s d2 registers
> at 740s e1 registers
> at 740s e2 registers
> at 740s e3 registers
> at 800s suspend d2,e[1-3]
> n1 idle
> d2,e[1-3] idle%
