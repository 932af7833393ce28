Nodes with faults of their own while waking is stopped: they are asked last, do not say why it is stopped, and do not come back
with those that went DOWN for the common cause.
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
at 0s fault ignores-on n[1-2,4-5]
n1 and n2 are known bad; n3 boots after them.
at 1s submit -w n[1-2] -N2 -c2 --runs 10s
> job 1
> at 1s resume n[1-2] (job 1: n[1-2])
at 2s outcome n1 resume no-power 0s "n1 stays off"
> at 2s job 1 is requeued
> at 2s resume-fail n1
at 2s outcome n2 resume no-power 0s "n2 stays off"
> at 2s resume-fail n2
at 3s submit -w n3 -N1 -c2 --runs 10s
> job 2
> at 3s resume n3 (job 2: n3)
at 40s cancel 1
> at 23s n3 registers
> at 23s launch job 2 on n3
> at 33s job 2 COMPLETED
> at 33s terminate job 2 on n3
> at 40s job 1 CANCELLED
at 40s show nodes
> n[1-2] down~
> n3 idle
> n[4-10] idle~
A common fault: the test goes past both, to n4.
at 41s submit -w n5 -N1 -c2 --runs 10s
> job 3
> at 41s resume n5 (job 3: n5)
at 42s outcome n5 resume common 0s "password refused"
at 53s show brake
> at 52s resume n4
> common-cause since 42s: password refused; 0 probes failed, under way: n4
at 54s outcome n4 resume no-power 0s "n4 stays off"
> at 54s resume-fail n4
What n4 says is its own: the cause stays what it is.
at 55s show brake
> common-cause since 42s: password refused; 1 probes failed, next not before 74s
at 55s show jobs
>  3 p      PD  0:00 1 (Nodes cannot be woken: password refused)
at 60s repair n[4-5]
The next test works.  n1 and n2 stay DOWN, and n4 gets no job while others sleep.
at 80s outcome n6 resume ok
> at 74s resume n6
> at 80s resume n5 (job 3: n5)
at 81s show nodes
> n[1-2] down~
> n3 idle
> n[4,7-10] idle~
> n5 alloc#
> n6 idle#
at 82s submit -N1 -c2 -x n[3,5-6] --runs 10s
> job 4
> at 82s resume n7 (job 4: n7)
at 82s show jobs
>  3 p      CF  0:00 1 n5
>  4 p      CF  0:00 1 n7
at 150s show nodes
> at 94s n6 registers
> at 100s n5 registers
> at 100s launch job 3 on n5
> at 102s n7 registers
> at 102s launch job 4 on n7
> at 110s job 3 COMPLETED
> at 110s terminate job 3 on n5
> at 112s job 4 COMPLETED
> at 112s terminate job 4 on n7
> n[1-2] down~
> n[3,5-7] idle
> n[4,8-10] idle~
Three nodes in a row: two for one cause and one for another.  The cause is that of most, and those two come back.
at 200s fault ignores-on n[8-10]
at 201s submit -w n8 -N1 -c2 --runs 10s
> job 5
> at 201s resume n8 (job 5: n8)
at 202s submit -w n9 -N1 -c2 --runs 10s
> job 6
> at 202s resume n9 (job 6: n9)
at 230s submit -w n10 -N1 -c2 --runs 10s
> job 7
> at 230s resume n10 (job 7: n10)
at 263s show nodes
> at 261s job 5 is requeued
> at 261s resume-fail n8
> at 262s job 6 is requeued
> at 262s resume-fail n9
> n[1-2,8-9] down~
> n[3,5-7] idle
> n4 idle~
> n10 alloc#
at 264s outcome n10 resume fatal 0s "n10 has no board"
> at 264s resume-fail n10
at 264s show brake
> failures-in-a-row since 264s: ResumeTimeout reached; 0 probes failed, next not before 274s
at 264s admin n3 POWER_DOWN_FORCE
> at 264s suspend n3
at 300s show jobs
> at 269s n3 is lost
> at 274s resume n8
>  5 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n8)
>  6 p      PD  0:00 1 (Nodes cannot be woken: ResumeTimeout reached)
>  7 p      PD  0:00 1 (Nodes cannot be woken: ResumeTimeout reached)
at 400s show nodes
> at 334s suspend n8
> at 334s resume-fail n8
> at 354s resume n3
> at 374s n3 registers
> at 374s resume n10 (job 7: n10)
> at 374s suspend n[8-9]
> n[1-2] down~
> n[3,5-7] idle
> n4 idle~
> n[8-9] idle%
> n10 alloc#
at 400s show node n10
> n10 ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP (alloc#, allocated#) PowerError=fatal: n10 has no board
at 400s show brake
> off
