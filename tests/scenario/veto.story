A node's agent says that it must not be switched off.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmdTimeout=60
NodeName=n[1-6] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
It stays idle; when the veto ends its idle clock starts anew.
at 1s veto n1 session
at 2s admin n2 DOWN repair
at 3s veto n2 session
at 4s veto n3 lock
at 5s veto n4 lock
at 6s veto n5 lock
at 7s show why n1
> n1 registered since 0s until -: must not be switched off, says its agent: session
at 7s show why n2
> n2 registered since 0s until -: DOWN: repair; must not be switched off, says its agent: session
at 150s show nodes
> at 100s suspend n6
> n[1,3-5] idle
> n2 down
> n6 idle~
at 160s veto n1
at 259s show nodes
> n[1,3-5] idle
> n2 down
> n6 idle~
at 261s show nodes
> at 260s suspend n1
> n1 idle%
> n2 down
> n[3-5] idle
> n6 idle~
An admin's POWER_DOWN waits for it, whichever; force does not ask.
at 270s admin n3 POWER_DOWN
at 271s admin n4 POWER_DOWN_ASAP
at 272s show nodes
> n[1,6] idle~
> n2 down
> n3 idle!
> n4 drain!
> n5 idle
at 272s show why n3
> n3 registered since 0s until -: to be switched off as asked for by hand (uid 0), when its agent lets it: lock
at 273s veto n3
> at 273s suspend n3
at 274s admin n4 POWER_DOWN_FORCE
> at 274s suspend n4
at 275s show nodes
> n[1,6] idle~
> n2 down
> n[3-4] idle%
> n5 idle
DOWN or not, a user on it is not cut off. An agent that is lost has said it until SlurmdTimeout.
at 400s show nodes
> n[1,3-4,6] idle~
> n2 down
> n5 idle
at 401s restart n5
at 404s admin n5 POWER_DOWN
at 405s show node n5
> n5 IDLE+POWER_DOWN (idle!, idle!)
at 406s cut n5
at 460s show node n5
> n5 IDLE+POWER_DOWN+NOT_RESPONDING (idle!, idle!)
at 470s show node n5
> at 466s suspend n5
> n5 DOWN+POWERING_DOWN (down%, down%) Reason=Not responding
A boot later nothing is left of it.
at 500s submit -w n4 --runs 1s
> job 1
> at 500s resume n4 (job 1: n4)
at 700s show nodes
> at 520s launch job 1 on n4
> at 521s job 1 COMPLETED
> at 521s terminate job 1 on n4
> at 621.001s suspend n4
> n[1,3-4,6] idle~
> n2 down
> n5 down~
