Nodes by number: those under maintenance are not chosen, and one that leaves the partition gives way to one inside.
conf
SelectType=select/linear
NodeName=n[1-5] CPUs=1
PartitionName=main Nodes=n[1-5] Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 0s reserve ReservationName=m StartTime=now Duration=1000 Users=user Nodes=n[1-2] Flags=MAINT
> reservation m
at 1s reserve ReservationName=two StartTime=now Duration=1000 Users=user NodeCnt=2
> reservation two
at 1s reserve ReservationName=late StartTime=now+5000minutes Duration=10 Users=user NodeCnt=5
> reservation late
at 2s show reservations
> m ACTIVE from 0s until 60000s on n[1-2] MAINT,SPEC_NODES
> two ACTIVE from 1s until 60001s on n[3-4] 
> late INACTIVE from 300001s until 300601s on n[1-5] 
It may be named all the same, and one that overlaps anyway has no rule to keep.
at 2s unreserve two
at 2s reserve ReservationName=named StartTime=now Duration=1000 Users=user Nodes=n1
> reservation named
at 2s reserve ReservationName=over StartTime=now Duration=1000 Users=user NodeCnt=1 Flags=OVERLAP
> reservation over
at 3s show reservations
> m ACTIVE from 0s until 60000s on n[1-2] MAINT,SPEC_NODES
> late INACTIVE from 300001s until 300601s on n[1-5] 
> named ACTIVE from 2s until 60002s on n1 SPEC_NODES
> over ACTIVE from 2s until 60002s on n1 OVERLAP
at 3s unreserve named
at 3s unreserve over
at 3s unreserve late
at 3s reserve ReservationName=three StartTime=now Duration=1000 Users=user NodeCnt=4
> refused: Requested nodes are busy (Requested nodes are busy: only 3 of 4 nodes of partition main are free at that time)
at 3s reserve ReservationName=w StartTime=now Duration=1000 Users=user NodeCnt=2 Flags=REPLACE
> reservation w
at 4s show reservations
> m ACTIVE from 0s until 60000s on n[1-2] MAINT,SPEC_NODES
> w ACTIVE from 3s until 60003s on n[3-4] REPLACE
Of the partition's nodes n3 is gone.
conf
SelectType=select/linear
NodeName=n[1-5] CPUs=1
PartitionName=main Nodes=n[1-2,4-5] Default=YES MaxTime=INFINITE
PartitionName=rest Nodes=n3
end
at 10s show reservations
> m ACTIVE from 0s until 60000s on n[1-2] MAINT,SPEC_NODES
> w ACTIVE from 3s until 60003s on n[4-5] REPLACE
When it is back another one stays.
conf
SelectType=select/linear
NodeName=n[1-5] CPUs=1
PartitionName=main Nodes=n[1-5] Default=YES MaxTime=INFINITE
end
at 20s show reservations
> m ACTIVE from 0s until 60000s on n[1-2] MAINT,SPEC_NODES
> w ACTIVE from 3s until 60003s on n[4-5] REPLACE
