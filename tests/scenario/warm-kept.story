warm_up: a node that is kept for a planned job is not idle, in whatever order the job before it ends, is late or is gone.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=5
SuspendTimeout=5
ResumeTimeout=20
KillWait=20
yaml warm_up: yes
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s delay boot 3s
at 0s delay shutdown 1s
The job before ends a little before its limit: n2 has been warm for longer than SuspendTime.
at 1s submit -N1 --exclusive -t 60s --runs 58s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N2 -t 10s --runs 1s
> job 2
at 58s show nodes
> at 5s suspend n2
> at 41s resume n2
> n1 alloc
> n2 plnd
at 90s show jobs
> at 59s job 1 COMPLETED
> at 59s terminate job 1 on n1
> at 59.001s launch job 2 on n1
> at 60.001s job 2 COMPLETED
> at 60.001s terminate job 2 on n1
> at 65.001s suspend n2
> at 65.002s suspend n1
It ends long before that, a moment before n2 has idled for SuspendTime, and that end takes a while: the job has both nodes at once.
at 99s admin n2 POWER_UP
> at 99s resume n2
at 100s submit -w n1 --exclusive -t 90s --runs 3.5s
> job 3
> at 100s resume n1 (job 3: n1)
at 100s delay gone 2s
at 101s submit -N2 -t 10s --runs 1s
> job 4
at 106.9s show nodes
> at 103s launch job 3 on n1
> at 106.5s job 3 COMPLETED
> at 106.5s terminate job 3 on n1
> n1 comp
> n2 plnd
at 130s show nodes
> at 108.5s launch job 4 on n1
> at 109.5s job 4 COMPLETED
> at 109.5s terminate job 4 on n1
> at 114.5s suspend n2
> at 116.5s suspend n1
> n[1-2] idle~
It is longer on its node than its limit: what is planned behind it is put off by a while, and n2 stays up meanwhile.
at 200s delay gone 18s
at 200s submit -w n1 --exclusive -t 20s --runs 1000s
> job 5
> at 200s resume n1 (job 5: n1)
at 201s submit -N2 -t 10s --runs 1s
> job 6
at 231s show why n2
> at 203s launch job 5 on n1
> at 220s resume n2
> at 223s job 5 TIMEOUT
> at 223s terminate job 5 on n1
> n2 registered since 223s until -: a planned job or reservation needs it soon (warm_up)
at 290s show jobs
> at 241s launch job 6 on n1
> at 242s job 6 COMPLETED
> at 242s terminate job 6 on n1
> at 247s suspend n2
> at 265s suspend n1
It is over, but its end takes longer than SuspendTime and boots together.
at 291s delay gone 90s
at 291s submit -w n1 --exclusive -t 60s --runs 20s
> job 7
> at 291s resume n1 (job 7: n1)
at 292s submit -N2 -t 10s --runs 1s
> job 8
at 330s show why n2
> at 294s launch job 7 on n1
> at 314s job 7 COMPLETED
> at 314s terminate job 7 on n1
> n2 off since 247s until -: was idle for SuspendTime, no job needs it
at 440s show nodes
> at 341s resume n2
> at 404s launch job 8 on n1
> at 405s job 8 COMPLETED
> at 405s terminate job 8 on n1
> at 410s suspend n2
> n1 comp
> n2 idle~
The job that waits is cancelled: n2 idles from then on.
at 500s delay gone 0.001s
> at 500s suspend n1
at 500s submit -w n1 --exclusive -t 30s --runs 30s
> job 9
at 501s submit -N2 -t 10s --runs 1s
> job 10
at 505s admin n2 POWER_UP
> at 505s resume n1 (job 9: n1)
> at 505s resume n2
at 520s show nodes
> at 508s launch job 9 on n1
> n1 alloc
> n2 plnd
at 520s cancel 10
> at 520s job 10 CANCELLED
at 524.9s show nodes
> n1 alloc
> n2 idle
at 570s show nodes
> at 525s suspend n2
> at 538s job 9 COMPLETED
> at 538s terminate job 9 on n1
> at 543.001s suspend n1
> n[1-2] idle~
It is held, which is the same, and released while n2 still idles.
at 600s submit -w n1 --exclusive -t 60s --runs 60s
> job 11
> at 600s resume n1 (job 11: n1)
at 601s submit -N2 -t 10s --runs 1s
> job 12
at 620s admin n2 POWER_UP
> at 603s launch job 11 on n1
> at 620s resume n2
at 650s hold 12
at 654s release 12
at 690s show nodes
> at 663s job 11 COMPLETED
> at 663s terminate job 11 on n1
> at 663.001s launch job 12 on n1
> at 664.001s job 12 COMPLETED
> at 664.001s terminate job 12 on n1
> at 669.001s suspend n2
> at 669.002s suspend n1
> n[1-2] idle~
A reservation comes before it, for long: n2 sleeps meanwhile, and is woken in time.
at 700s submit -w n1 --exclusive -t 60s --runs 58s
> job 13
> at 700s resume n1 (job 13: n1)
at 701s submit -N2 -t 10s --runs 1s
> job 14
at 710s admin n2 POWER_UP
> at 703s launch job 13 on n1
> at 710s resume n2
at 730s show nodes
> n1 alloc
> n2 plnd
at 730s reserve ReservationName=r StartTime=now+35 Duration=3 Users=root Nodes=n1
> reservation r
at 734.9s show nodes
> n1 alloc
> n2 plnd
at 1000s show nodes
> at 735s suspend n2
> at 761s job 13 COMPLETED
> at 761s terminate job 13 on n1
> at 942s resume n2
> at 945s launch job 14 on n1
> at 946s job 14 COMPLETED
> at 946s terminate job 14 on n1
> at 951s suspend n2
> at 951.001s suspend n1
> n[1-2] idle~
The files are read anew meanwhile, and SuspendTime is 0.
at 1100s submit -w n1 --exclusive -t 60s --runs 58s
> job 15
> at 1100s resume n1 (job 15: n1)
at 1101s submit -N2 -t 10s --runs 1s
> job 16
at 1120s admin n2 POWER_UP
> at 1103s launch job 15 on n1
> at 1120s resume n2
at 1150s show why n2
> n2 registered since 1123s until -: a planned job or reservation needs it soon (warm_up)
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=0
SuspendTimeout=5
ResumeTimeout=20
KillWait=20
yaml warm_up: yes
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 1155s show nodes
> n1 alloc
> n2 plnd
at 1180s show nodes
> at 1161s job 15 COMPLETED
> at 1161s terminate job 15 on n1
> at 1161.001s launch job 16 on n1
> at 1162.001s job 16 COMPLETED
> at 1162.001s terminate job 16 on n1
> at 1162.001s suspend n2
> at 1162.002s suspend n1
> n[1-2] idle~
