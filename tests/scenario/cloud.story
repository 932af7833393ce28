Cloud nodes: an address for each boot, memory that a provider keeps for itself, idle_on_node_suspend.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=idle_on_node_suspend,node_reg_mem_percent=50,cloud_dns
NodeName=c[1-2] CPUs=2 RealMemory=1000 State=CLOUD
NodeName=n1 CPUs=2 RealMemory=1000
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
An address is what the registration came from, until the node is off.
at 1s show address c1
> c1 NodeAddr=c1 NodeHostName=c1
at 2s submit -w c1 --runs 10s
> job 1
> at 2s resume c1 (job 1: c1)
at 30s show address c1
> at 22s launch job 1 on c1
> c1 NodeAddr=127.0.0.1 NodeHostName=c1
Half of the memory suffices here.
at 31s fault low-memory c2
at 32s admin c2 power_up
> at 32s job 1 COMPLETED
> at 32s terminate job 1 on c1
> at 32s resume c2
at 60s show node c2
> c2 IDLE+CLOUD (idle, idle)
It is drained while it is up; when it is suspended it becomes idle, so that it can be resumed later.
at 61s admin c2 drain disk
at 62s admin n1 down disk
at 300s show nodes
> at 100s suspend n1
> at 132.001s suspend c1
> at 152s suspend c2
> c[1-2],n1 idle~
at 301s show address c1
> c1 NodeAddr=c1 NodeHostName=c1
at 302s show node c2
> c2 IDLE+CLOUD+POWERED_DOWN (idle~, idle~) Reason=disk
at 303s submit -w c2 --runs 10s
> job 2
> at 303s resume c2 (job 2: c2)
at 400s show nodes
> at 323s launch job 2 on c2
> at 333s job 2 COMPLETED
> at 333s terminate job 2 on c2
> c1,n1 idle~
> c2 idle
The default is 90 percent for them, which is more than half.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=c[1-2] CPUs=2 RealMemory=1000 State=CLOUD
NodeName=n1 CPUs=2 RealMemory=1000
PartitionName=p Nodes=ALL Default=YES
end
at 600s admin c2 power_up
> at 433.001s suspend c2
> at 600s resume c2
at 630s show node c2
> c2 IDLE+CLOUD+DRAIN+INVALID_REG (inval, inval) Reason=Low RealMemory (reported:500 < 90.00% of configured:1000)
