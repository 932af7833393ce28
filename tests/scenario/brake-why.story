While waking is stopped, what is said of each sleeping node, and of the one that is woken as a test, has the cause.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=100
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-6] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 3
yaml boot_retries: 0
end
at 0s delay boot 20s
n4 has slept since it was idle, n5 since its boot failed for want of a machine, n6 always.
at 1s submit -w n4 -N1 -c2 --runs 10s
> job 1
> at 1s resume n4 (job 1: n4)
at 2s fault ignores-on n5
at 2s submit -w n5 -N1 -c2 --runs 10s
> job 2
> at 2s resume n5 (job 2: n5)
at 3s outcome n5 resume capacity 5s "none left"
at 3s cancel 2
> at 3s job 2 CANCELLED
at 190s show why n4
> at 21s n4 registers
> at 21s launch job 1 on n4
> at 31s job 1 COMPLETED
> at 31s terminate job 1 on n4
> at 131.001s suspend n4
> at 136.001s n4 is lost
> n4 off since 131.001s until -: was idle for SuspendTime, no job needs it
at 190s show why n5
> n5 off since 2s until -: could not be woken (capacity: none left), no job needs it
at 200s submit -w n1 -N1 -c2 --runs 10s
> job 3
> at 200s resume n1 (job 3: n1)
at 201s outcome n1 resume common 0s "password refused"
at 202s show why n1
> n1 off since 200s until -: could not be woken, and waking of nodes is stopped: password refused
at 202s show why n4
> n4 off since 131.001s until -: was idle for SuspendTime, and waking of nodes is stopped: password refused
at 202s show why n5
> n5 off since 2s until -: could not be woken (capacity: none left), and waking of nodes is stopped: password refused
at 202s show why n6
> n6 off since - until -: never woken, and waking of nodes is stopped: password refused
at 212s show why n2
> at 211s resume n2
> n2 power-command since 211s until 271s: woken, as a test while waking of nodes is stopped: password refused
at 213s admin n2 POWER_UP
at 213s show why n2
> n2 power-command since 211s until 271s: as asked for by hand (uid 0), as a test while waking of nodes is stopped: password refused
at 214s admin n6 POWER_UP
at 214s show why n6
> n6 queued since - until -: as asked for by hand (uid 0), waits as waking of nodes is stopped: password refused
at 215s outcome n2 resume common 0s "password refused"
> at 215s resume n6
at 216s show why n2
> n2 queued since - until -: as asked for by hand (uid 0), waits as waking of nodes is stopped: password refused
at 216s show why n6
> n6 power-command since 215s until 275s: as asked for by hand (uid 0), as a test while waking of nodes is stopped: password refused
