While waking is stopped many nodes are asked for by hand, and each fails at once by a fault of its own: the first is woken without
a pause, and one more, as the first has shown nothing of the cause; the others wait for the pause.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-30] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml boot_retries: 0
yaml brake_pause: 300
yaml brake_pause_max: 300
end
at 0s delay boot 20s
at 0s fault ignores-on n[1-30]
at 1s admin n1 POWER_UP
> at 1s resume n1
at 2s outcome n1 resume common 0s "password refused"
at 3s admin n[2-9] POWER_UP
> at 3s resume n2
at 4s outcome n2 resume fatal 0s "no board"
> at 4s resume n3
> at 4s resume-fail n2
at 5s outcome n3 resume fatal 0s "no board"
> at 5s resume-fail n3
at 6s show brake
> common-cause since 2s: password refused; 2 probes failed, next not before 305s
at 6s show why n4
> n4 queued since - until -: as asked for by hand (uid 0), waits as waking of nodes is stopped: password refused
After the pause one node more, which is not the first of the request.
at 306s outcome n4 resume fatal 0s "no board"
> at 305s resume n4
> at 306s resume-fail n4
at 307s show brake
> common-cause since 2s: password refused; 3 probes failed, next not before 606s
Asked for while a test is under way, which fails for the cause: the wish need not wait, as a repair may have come between.
at 607s admin n20 POWER_UP
> at 606s resume n5
at 608s outcome n5 resume common 0s "password refused"
> at 608s resume n20
at 609s outcome n20 resume common 0s "password refused"
The clock is set back behind the last request: its other nodes wait for the pause all the same, and a new request does not.
at 610s admin n[10-15] POWER_UP
> at 610s resume n10
at 611s clock back 2h
at 612s outcome n10 resume common 0s "password refused"
at 913s outcome n6 resume common 0s "password refused"
> at 912s resume n6
at 914s show brake
> common-cause since 2s: password refused; 7 probes failed, next not before 1213s
at 914s show why n7
> n7 queued since - until -: as asked for by hand (uid 0), waits as waking of nodes is stopped: password refused
at 915s admin n21 POWER_UP
> at 915s resume n21
at 916s clock forward 2h
A lack of capacity tells nothing of the cause; the others wait for the pause.
at 917s outcome n21 resume capacity 900s "none left"
at 1216s outcome n7 resume capacity 900s "none left"
> at 1215s resume n7
at 1217s show why n8
> n8 queued since - until -: as asked for by hand (uid 0), waits as waking of nodes is stopped: password refused
After kill -9 what was asked for before waits for the pause.
at 1220s admin n22 POWER_UP
> at 1220s resume n22
at 1221s admin n23 POWER_UP
at 1222s kill
at 1223s outcome n22 resume common 0s "password refused"
at 1224s show brake
> common-cause since 2s: password refused; 8 probes failed, next not before 1523s
at 1224s show why n23
> n23 queued since - until -: as asked for by hand (uid 0), waits as waking of nodes is stopped: password refused
