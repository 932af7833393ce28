A cause is known also when the errors that it was judged by are gone.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
ReturnToService=1
NodeName=n[1-8] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s fault ignores-on n[1-8]
at 1s admin n[1-5] POWER_UP
> at 1s resume n[1-5]
at 2s outcome n1 resume fatal 0s "no board"
> at 2s resume-fail n1
at 2s outcome n2 resume fatal 0s "no board"
> at 2s resume-fail n2
at 2s outcome n3 resume fatal 0s "no board"
> at 2s resume-fail n3
at 2s outcome n4 resume fatal 0s "no board"
> at 2s resume-fail n4
at 2s outcome n5 resume fatal 0s "no board"
> at 2s resume-fail n5
at 3s show brake
> failures-in-a-row since 2s: fatal: no board; 0 probes failed, next not before 12s
at 3s admin n[1-5] DRAIN x
at 3s admin n[1-5] RESUME
at 3s submit -w n8 -N1 -c2 --runs 10s
> job 1
at 3s show brake
> failures-in-a-row since 2s: fatal: no board; 0 probes failed, next not before 12s
at 14s show brake
> at 12s resume n6
> failures-in-a-row since 2s: fatal: no board; 0 probes failed, under way: n6
at 15s outcome n6 resume common 0s "password refused"
at 16s show brake
> failures-in-a-row since 2s: fatal: no board; 1 probes failed, next not before 35s
at 16s show jobs
>  1 p      PD  0:00 1 (Nodes cannot be woken: fatal: no board)
