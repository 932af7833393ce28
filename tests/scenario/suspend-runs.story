A SuspendProgram that runs longer than SuspendTimeout (semantics "programs"): its node is woken when it has ended, not while it runs.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=INFINITE
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES SuspendTime=300
end
at 1s hush agents
at 1s admin n[1-2] POWER_UP
> at 1s resume n[1-2]
at 30s delay suspend 45s
at 40s admin n1 POWER_DOWN_FORCE
> at 40s suspend n1
Asked for while it goes: SuspendTimeout is over at 70 s, the program at 85 s.
at 50s admin n1 POWER_UP
at 51s show why n1
> n1 power-command since 40s until 70s: as asked for by hand (uid 0)
at 72s show nodes
> n1 idle~
> n2 idle
at 72s show why n1
> n1 queued since - until 100s: as asked for by hand (uid 0), waits for its SuspendProgram, which still runs
at 120s show nodes
> at 85s resume n1
> n[1-2] idle
Its program has said that n2 is off: there is nothing to wait for.
at 120s admin n2 POWER_DOWN
> at 120s suspend n2
at 130s outcome n2 suspend ok
at 131s submit -w n2 --runs 10s
> job 1
> at 131s resume n2 (job 1: n2)
at 132s show nodes
> n1 idle
> n2 mix#
at 200s show nodes
> at 151s launch job 1 on n2
> at 161s job 1 COMPLETED
> at 161s terminate job 1 on n2
> n[1-2] idle
One that hangs: not for ever.
at 200s delay suspend 1h
at 200s admin n1 POWER_DOWN
> at 200s suspend n1
at 240s submit -w n1 --runs 10s
> job 2
at 241s show slowest 2
> job 2 waits for n1
at 241s cancel 2
> at 241s job 2 CANCELLED
at 242s submit -w n1 --runs 10s
> job 3
at 242s show jobs
>  3 p      CF  0:00 1 n1
at 300s show nodes
> at 260s resume n1 (job 3: n1)
> at 280s launch job 3 on n1
> at 290s job 3 COMPLETED
> at 290s terminate job 3 on n1
> n[1-2] idle
