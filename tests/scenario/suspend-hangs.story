SuspendPrograms that hang: when twice SuspendTimeout has passed their nodes wait for ResumeRate, and for nothing else.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=INFINITE
SuspendTimeout=30
ResumeTimeout=600
SuspendRate=0
ResumeRate=2
NodeName=n[1-2] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES SuspendTime=300
end
at 1s hush agents
at 1s admin n[1-2] POWER_UP
at 100s show nodes
> at 30s resume n1
> at 60s resume n2
> n[1-2] idle
at 120s delay suspend 1h
at 120s admin n[1-2] POWER_DOWN
> at 120s suspend n[1-2]
at 151s submit -N 2 --runs 10s
> job 1
at 179s show why n2
> n2 queued since - until 180s: wanted by JobId=1, waits for its SuspendProgram, which still runs
at 181s show nodes
> at 180s resume n1 (job 1: n1)
> n1 mix#
> n2 mix~
at 181s show why n2
> n2 queued since - until -: wanted by JobId=1, waits for ResumeRate
at 181s show slowest 1
> job 1 waits for n2
at 300s show nodes
> at 210s resume n2 (job 1: n2)
> at 230s launch job 1 on n1
> at 240s job 1 COMPLETED
> at 240s terminate job 1 on n1
> n[1-2] idle
