What an update of a reservation leaves as it was: its end or how long it lasts, whichever was said last; nodes of a partition.
conf
SelectType=select/linear
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
PartitionName=two Nodes=n[2-3] MaxTime=INFINITE
end
A Duration stays.
at 10s reserve ReservationName=d StartTime=now+100 Duration=10 Users=user Nodes=ALL
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> reservation d
at 10s reserve ReservationName=e StartTime=now+1000 EndTime=now+2000 Users=user Nodes=ALL PartitionName=two
> reservation e
at 10s reserve update=d StartTime=now+200
at 11s show reservations
> d INACTIVE from 210s until 810s on n[1-4] SPEC_NODES,ALL_NODES
> e INACTIVE from 1010s until 2010s on n[2-3] SPEC_NODES,PART_NODES
An end stays, and cannot come before the start.
at 20s reserve update=e StartTime=now+1200
at 21s show reservations
> d INACTIVE from 210s until 810s on n[1-4] SPEC_NODES,ALL_NODES
> e INACTIVE from 1220s until 2010s on n[2-3] SPEC_NODES,PART_NODES
at 30s reserve update=e StartTime=now+2000
> refused: Invalid time specified (EndTime must be later than StartTime)
at 31s reserve update=e Duration=5
at 32s reserve update=e StartTime=now+2000
at 33s show reservations
> d INACTIVE from 210s until 810s on n[1-4] SPEC_NODES,ALL_NODES
> e INACTIVE from 2032s until 2332s on n[2-3] SPEC_NODES,PART_NODES
at 40s reserve update=d EndTime=now+900
at 41s reserve update=d StartTime=now+300
at 42s show reservations
> d INACTIVE from 341s until 940s on n[1-4] SPEC_NODES,ALL_NODES
> e INACTIVE from 2032s until 2332s on n[2-3] SPEC_NODES,PART_NODES
Those of a partition are those that it has.
conf
SelectType=select/linear
NodeName=n[1-4] CPUs=1
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE
PartitionName=two Nodes=n[2,4] MaxTime=INFINITE
end
at 50s show reservations
> d INACTIVE from 341s until 940s on n[1-4] SPEC_NODES,ALL_NODES
> e INACTIVE from 2032s until 2332s on n[2,4] SPEC_NODES,PART_NODES
Others than all: it follows none.
at 60s reserve update=d Nodes=n1
at 60s reserve update=e NodeCnt=1
at 61s show reservations
> d INACTIVE from 341s until 940s on n1 SPEC_NODES
> e INACTIVE from 2032s until 2332s on n2 
at 62s reserve update=d Nodes=ALL
at 62s reserve update=e Nodes=n[2-3] Flags+=PART_NODES
> refused: Invalid update specification (Flags: PART_NODES needs PartitionName and Nodes=ALL)
at 63s show reservations
> d INACTIVE from 341s until 940s on n[1-4] SPEC_NODES,ALL_NODES
> e INACTIVE from 2032s until 2332s on n2 
Signs of words.
at 70s reserve update=d Flags=+OVERLAP,+MAINT
at 71s reserve update=d Flags=-MAINT,+FLEX
at 72s show reservations
> d INACTIVE from 341s until 940s on n[1-4] FLEX,OVERLAP,SPEC_NODES,ALL_NODES
> e INACTIVE from 2032s until 2332s on n2 
at 73s reserve update=d Flags=+NONE
> refused: Invalid update specification (Flags: "NONE" is not a flag of reservations)
at 74s reserve update=d Users=+other
at 75s reserve update=d Users=+third,-user
at 76s reserve update=d Users=+third,user
> refused: Invalid update specification (Users=+third,user: a sign before each of the names, or a plus before none, was expected)
at 77s reserve update=d Users+=+third
> refused: Invalid update specification (Users=+third: a list of names without signs was expected)
at 78s submit --uid=1001 --user=other --reservation d -t 1m --runs 5s
> job 1
> at 78s launch job 1 on n1
at 79s submit --reservation d -t 1m --runs 5s
> refused: Access denied to requested reservation
at 80s show jobs
>  1 main   R   0:02 1 n1
