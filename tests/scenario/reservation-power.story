Power and reservations: with warm_up their nodes are up when they begin (not those of a MAINT one), while they last their nodes stay as they
are, and idle ones sleep after their end.
conf
SelectType=select/linear
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=30
SuspendTimeout=5
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=c[1-4] CPUs=1 State=CLOUD
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
at 0s warm-up
at 1s reserve ReservationName=r StartTime=now+200 Duration=5 Users=user Nodes=c[1-2]
> reservation r
at 1s reserve ReservationName=m StartTime=now+200 Duration=5 Users=user Nodes=c3 Flags=MAINT
> reservation m
at 130s show nodes
> c[1-4] idle~
at 150s show nodes
> at 141s resume c[1-2]
> c[1-2] idle#
> c[3-4] idle~
at 201s show nodes
> c[1-2] resv
> c3 maint~
> c4 idle~
at 300s submit --reservation r -N1 -t 2m --runs 20s
> job 1
> at 300s launch job 1 on c1
at 480s show nodes
> at 320s job 1 COMPLETED
> at 320s terminate job 1 on c1
> c[1-2] resv
> c3 maint~
> c4 idle~
at 502s show nodes
> c[1-2] idle
> c[3-4] idle~
at 540s show nodes
> at 531s suspend c[1-2]
> at 536s disconnect c2
> c[1-4] idle~
A job that would have to boot its node does not begin where the boot would bring it into a reservation.
at 600s reserve ReservationName=s StartTime=now+130 Duration=5 Users=user Nodes=c[1-3] Flags=MAINT
> reservation s
at 600s submit -N1 -t 100s --runs 10s
> job 2
> at 600s resume c4 (job 2: c4)
at 601s submit -N1 -t 60s --runs 10s
> job 3
> at 601s resume c1 (job 3: c1)
at 602s show jobs
>  2 p      CF  0:00 1 c4
>  3 p      CF  0:00 1 c1
at 1200s show jobs
> at 620s launch job 2 on c4
> at 621s launch job 3 on c1
> at 630s job 2 COMPLETED
> at 630s terminate job 2 on c4
> at 631s job 3 COMPLETED
> at 631s terminate job 3 on c1
> at 660.001s suspend c4
> at 661.001s suspend c1
