While waking is stopped many nodes are asked for by hand: one of them is woken at once, the others wait for the pause, as it has
shown that the cause is still there; one with a fault of its own has not shown that.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-9] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml boot_retries: 0
end
at 0s delay boot 20s
at 0s fault ignores-on n[1-9]
at 1s admin n1 POWER_UP
> at 1s resume n1
at 2s outcome n1 resume common 0s "password refused"
at 3s admin n[2-6] POWER_UP
> at 3s resume n2
at 4s outcome n2 resume common 0s "password refused"
at 5s show brake
> common-cause since 2s: password refused; 1 probes failed, next not before 24s
at 5s show why n3
> n3 queued since - until -: as asked for by hand (uid 0), waits as waking of nodes is stopped: password refused
A later wish need not wait: it may follow a repair.  n9 has no board, which says nothing of the password.
at 6s admin n9 POWER_UP
> at 6s resume n9
at 7s outcome n9 resume fatal 0s "no board"
> at 7s resume n3
> at 7s resume-fail n9
at 8s outcome n3 resume common 0s "password refused"
at 9s show brake
> common-cause since 2s: password refused; 3 probes failed, next not before 88s
kill -9 forgets no wish, and no pause.
at 9s kill
at 10s show brake
> common-cause since 2s: password refused; 3 probes failed, next not before 88s
at 10s repair n[4-8]
at 200s show nodes
> at 88s resume n4
> at 108s n4 registers
> at 108s resume n[5-6]
> at 128s n5 registers
> at 128s n6 registers
> n[1-3,7-9] idle~
> n[4-6] idle
