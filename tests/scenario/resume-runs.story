A ResumeProgram that still runs when its node is to be switched off in the middle of its boot (power_down_force): not both at the same BMC.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=INFINITE
SuspendTimeout=30
ResumeTimeout=120
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES SuspendTime=300
end
at 1s hush agents
at 1s delay boot 50s
at 1s delay resume 10s
at 1s admin n1 POWER_UP
> at 1s resume n1
at 5s admin n1 POWER_DOWN_FORCE
at 6s show nodes
> n1 idle!
> n2 idle~
at 6s show why n1
> n1 queued since - until 31s: to be switched off as asked for by hand (uid 0), waits for its ResumeProgram, which still runs
at 12s show nodes
> at 11s suspend n1
> n1 idle%
> n2 idle~
One that takes longer, maybe because it waits for the node to come up, is not waited for beyond SuspendTimeout, counted from its start.
at 100s delay resume 1h
at 100s admin n1 POWER_UP
> at 100s resume n1
at 110s admin n1 POWER_DOWN_FORCE
at 140s show nodes
> at 130s suspend n1
> n1 idle%
> n2 idle~
at 200s admin n1 POWER_UP
> at 200s resume n1
at 231s admin n1 POWER_DOWN_FORCE
> at 231s suspend n1
Its program has said that n1 is on: there is nothing to wait for.
at 300s admin n1 POWER_UP
> at 300s resume n1
at 301s outcome n1 resume ok
at 302s admin n1 POWER_DOWN_FORCE
> at 302s suspend n1
Nor when it has come up.
at 400s delay boot 5s
at 400s admin n1 POWER_UP
> at 400s resume n1
at 402s admin n1 POWER_DOWN_FORCE
at 410s show nodes
> at 405s suspend n1
> n1 idle%
> n2 idle~
A wish to have it on again has its ResumeProgram run again, as ever.
at 500s delay boot 50s
at 500s admin n1 POWER_UP
> at 500s resume n1
at 501s admin n1 POWER_DOWN_FORCE
at 502s admin n1 POWER_UP
> at 502s resume n1
at 560s show nodes
> n1 idle
> n2 idle~
Jobs go at once; the node has no other before it is off.
at 600s submit -w n2 --runs 10s
> job 1
> at 600s resume n2 (job 1: n2)
at 601s admin n2 POWER_DOWN_FORCE
> at 601s job 1 is requeued
at 602s show nodes
> n1 idle
> n2 idle!
at 602s show why n2
> n2 queued since - until 630s: to be switched off as asked for by hand (uid 0), waits for its ResumeProgram, which still runs
at 640s show nodes
> at 630s suspend n2
> n1 idle
> n2 idle%
