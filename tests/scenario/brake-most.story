Two nodes with a fault of their own are the first of many that fail: the cause is what most of the nodes fail by, although
waking was stopped by these two and one more, and only nodes that went DOWN for it come back.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-10] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 3
yaml boot_retries: 0
end
at 0s delay boot 20s
at 0s fault ignores-on n[1-8]
at 1s submit -w n1 -N1 -c2 --runs 10s
> job 1
> at 1s resume n1 (job 1: n1)
at 1s submit -w n2 -N1 -c2 --runs 10s
> job 2
> at 1s resume n2 (job 2: n2)
at 2s outcome n1 resume fatal 0s "no board"
> at 2s job 1 is requeued
> at 2s resume-fail n1
at 2s outcome n2 resume fatal 0s "no board"
> at 2s job 2 is requeued
> at 2s resume-fail n2
at 3s submit -w n[3-8] -N6 -c2 --runs 10s
> job 3
> at 3s resume n[3-8] (job 3: n[3-8])
at 64s show brake
> at 63s suspend n[3-8]
> at 63s resume-fail n[3-8]
> failures-in-a-row since 63s: ResumeTimeout reached; 0 probes failed, next not before 73s
at 64s show jobs
>  1 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
>  2 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n2)
>  3 p      PD  0:00 6 (Nodes cannot be woken: ResumeTimeout reached)
at 64s kill
at 65s show brake
> failures-in-a-row since 63s: ResumeTimeout reached; 0 probes failed, next not before 73s
at 74s show brake
> at 73s resume n9
> failures-in-a-row since 63s: ResumeTimeout reached; 0 probes failed, under way: n9
at 75s repair n[3-8]
at 140s show brake
> at 93s n9 registers
> at 93s resume n[3-8] (job 3: n[3-8])
> at 113s n3 registers
> at 113s n4 registers
> at 113s n5 registers
> at 113s n6 registers
> at 113s n7 registers
> at 113s n8 registers
> at 113s launch job 3 on n3
> at 123s job 3 COMPLETED
> at 123s terminate job 3 on n3
> off
at 140s show nodes
> n[1-2] down~
> n[3-9] idle
> n10 idle~
at 140s show jobs
>  1 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
>  2 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n2)
