A job is allocated at 0 s, its node boots until 20 s, its prolog runs until 23 s, its script is launched, which is confirmed at 25 s.
At each of these moments it is preempted, suspended by scontrol, loses its time slice, is requeued, is cancelled, loses its
node: it is never left without processes where it is shown as running.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
SchedulerTimeSlice=10
SlurmdTimeout=30
ReturnToService=2
Prolog=/prolog
PrologFlags=Alloc
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=6000
ResumeTimeout=60
ResumeRate=0
NodeName=p[1-5],s[1-5],g[1-4],r[1-5],c[1-5],l[1-4] CPUs=4 State=CLOUD
PartitionName=low Nodes=p[1-5],s[1-5],r[1-5],c[1-5],l[1-4] Default=YES OverSubscribe=FORCE:1
PartitionName=high Nodes=p[1-5] PriorityTier=2 OverSubscribe=FORCE:1
PartitionName=t1 Nodes=g1 OverSubscribe=FORCE:2
PartitionName=t2 Nodes=g2 OverSubscribe=FORCE:2
PartitionName=t3 Nodes=g3 OverSubscribe=FORCE:2
PartitionName=t4 Nodes=g4 OverSubscribe=FORCE:2
end
at 0s hush resume
at 0s hush prolog
at 0s hush terminate
at 0s hush agents
at 0s delay prolog 3s
at 0s delay launch 2s
Preempted: a preemptor comes.
at 0s submit -w p1 -n4 --runs 100s
> job 1
at 0s submit -w p2 -n4 --runs 100s
> job 2
at 0s submit -w p3 -n4 --runs 100s
> job 3
at 0s submit -w p4 -n4 --runs 100s
> job 4
at 0s submit -w p5 -n4 --runs 100s
> job 5
at 0s submit -w p1 -n4 -p high --runs 10s
> job 6
at 10s submit -w p2 -n4 -p high --runs 10s
> job 7
at 21s submit -w p3 -n4 -p high --runs 10s
> job 8
at 24s submit -w p4 -n4 -p high --runs 10s
> at 23s launch job 1 on p1
> at 23s freeze job 1 on p1
> at 23s launch job 2 on p2
> at 23s freeze job 2 on p2
> at 23s launch job 3 on p3
> at 23s freeze job 3 on p3
> at 23s launch job 4 on p4
> at 23s launch job 5 on p5
> job 9
> at 24s freeze job 4 on p4
at 30s submit -w p5 -n4 -p high --runs 10s
> at 26.001s launch job 6 on p1
> at 26.001s launch job 7 on p2
> at 26.001s launch job 8 on p3
> at 27.001s launch job 9 on p4
> job 10
> at 30s freeze job 5 on p5
at 36s show jobs
> at 33.001s launch job 10 on p5
>  1 low    S   0:00 1 p1
>  2 low    S   0:00 1 p2
>  3 low    S   0:00 1 p3
>  4 low    S   0:01 1 p4
>  5 low    S   0:07 1 p5
>  6 high   R   0:09 1 p1
>  7 high   R   0:09 1 p2
>  8 high   R   0:09 1 p3
>  9 high   R   0:08 1 p4
> 10 high   R   0:02 1 p5
at 60s show jobs
> at 36.001s job 6 COMPLETED
> at 36.001s job 7 COMPLETED
> at 36.001s job 8 COMPLETED
> at 36.002s thaw job 1 on p1
> at 36.002s launch job 1 on p1
> at 36.002s thaw job 2 on p2
> at 36.002s launch job 2 on p2
> at 36.002s thaw job 3 on p3
> at 36.002s launch job 3 on p3
> at 37.001s job 9 COMPLETED
> at 37.002s thaw job 4 on p4
> at 43.001s job 10 COMPLETED
> at 43.002s thaw job 5 on p5
>  1 low    R   0:23 1 p1
>  2 low    R   0:23 1 p2
>  3 low    R   0:23 1 p3
>  4 low    R   0:23 1 p4
>  5 low    R   0:23 1 p5
at 160s show jobs
> at 136.002s job 1 COMPLETED
> at 136.002s job 2 COMPLETED
> at 136.002s job 3 COMPLETED
> at 136.002s job 4 COMPLETED
> at 136.002s job 5 COMPLETED
Suspended by scontrol.
at 1000s submit -w s1 -n4 --runs 100s
> job 11
at 1000s submit -w s2 -n4 --runs 100s
> job 12
at 1000s submit -w s3 -n4 --runs 100s
> job 13
at 1000s submit -w s4 -n4 --runs 100s
> job 14
at 1000s submit -w s5 -n4 --runs 100s
> job 15
at 1000s suspend 11
> refused: Allocated nodes are still booting
at 1010s suspend 12
> refused: Allocated nodes are still booting
at 1021s suspend 13
> refused: Allocated nodes are still booting
at 1024s suspend 14
> at 1023s launch job 11 on s1
> at 1023s launch job 12 on s2
> at 1023s launch job 13 on s3
> at 1023s launch job 14 on s4
> at 1023s launch job 15 on s5
> at 1024s freeze job 14 on s4
at 1030s suspend 15
> at 1030s freeze job 15 on s5
at 1040s show jobs
> 11 low    R   0:17 1 s1
> 12 low    R   0:17 1 s2
> 13 low    R   0:17 1 s3
> 14 low    S   0:01 1 s4
> 15 low    S   0:07 1 s5
at 1050s resume 14
> at 1050s thaw job 14 on s4
at 1050s resume 15
> at 1050s thaw job 15 on s5
at 1160s show jobs
> at 1123s job 11 COMPLETED
> at 1123s job 12 COMPLETED
> at 1123s job 13 COMPLETED
> at 1143s job 15 COMPLETED
> at 1149s job 14 COMPLETED
A time slice is over.
at 2000s submit -w g1 -p t1 -n4 --runs 12s
> job 16
at 2000s submit -w g2 -p t2 -n4 --runs 12s
> job 17
at 2000s submit -w g3 -p t3 -n4 --runs 12s
> job 18
at 2000s submit -w g4 -p t4 -n4 --runs 12s
> job 19
at 2000s submit -w g1 -p t1 -n4 --runs 12s
> job 20
at 2011s submit -w g2 -p t2 -n4 --runs 12s
> job 21
at 2014s submit -w g3 -p t3 -n4 --runs 12s
> job 22
at 2020s submit -w g4 -p t4 -n4 --runs 12s
> job 23
at 2040s show jobs
> at 2021s freeze job 17 on g2
> at 2023s launch job 16 on g1
> at 2023s launch job 18 on g3
> at 2023s launch job 19 on g4
> at 2024s freeze job 18 on g3
> at 2024.001s launch job 21 on g2
> at 2027.001s launch job 22 on g3
> at 2030s freeze job 16 on g1
> at 2030s freeze job 19 on g4
> at 2031s freeze job 21 on g2
> at 2031.001s thaw job 17 on g2
> at 2031.001s launch job 17 on g2
> at 2033.001s launch job 20 on g1
> at 2033.001s launch job 23 on g4
> at 2034s freeze job 22 on g3
> at 2034.001s thaw job 18 on g3
> at 2040s freeze job 20 on g1
> at 2040s freeze job 23 on g4
> 16 t1     S   0:07 1 g1
> 17 t2     R   0:08 1 g2
> 18 t3     R   0:06 1 g3
> 19 t4     S   0:07 1 g4
> 20 t1     S   0:06 1 g1
> 21 t2     S   0:06 1 g2
> 22 t3     S   0:06 1 g3
> 23 t4     S   0:06 1 g4
at 2200s show jobs
> at 2040.001s thaw job 16 on g1
> at 2040.001s thaw job 19 on g4
> at 2041s freeze job 17 on g2
> at 2041.001s thaw job 21 on g2
> at 2044s freeze job 18 on g3
> at 2044.001s thaw job 22 on g3
> at 2045.001s job 16 COMPLETED
> at 2045.001s job 19 COMPLETED
> at 2045.002s thaw job 20 on g1
> at 2045.002s thaw job 23 on g4
> at 2046.002s job 21 COMPLETED
> at 2046.003s thaw job 17 on g2
> at 2048.004s job 17 COMPLETED
> at 2049.002s job 22 COMPLETED
> at 2049.003s thaw job 18 on g3
> at 2050.003s job 20 COMPLETED
> at 2050.003s job 23 COMPLETED
> at 2050.004s job 18 COMPLETED
Requeued.
at 3000s submit -w r1 -n4 --runs 100s
> job 24
at 3000s submit -w r2 -n4 --runs 100s
> job 25
at 3000s submit -w r3 -n4 --runs 100s
> job 26
at 3000s submit -w r4 -n4 --runs 100s
> job 27
at 3000s submit -w r5 -n4 --runs 100s
> job 28
at 3000s requeue 24
> at 3000s job 24 is requeued
at 3010s requeue 25
> at 3010s job 25 is requeued
at 3021s requeue 26
> at 3021s job 26 is requeued
at 3024s requeue 27
> at 3023s launch job 24 on r1
> at 3023s launch job 25 on r2
> at 3023s launch job 27 on r4
> at 3023s launch job 28 on r5
> at 3024s job 27 is requeued
at 3030s requeue 28
> at 3024.001s launch job 26 on r3
> at 3027.001s launch job 27 on r4
> at 3030s job 28 is requeued
at 3060s show jobs
> at 3033.001s launch job 28 on r5
> 24 low    R   0:37 1 r1
> 25 low    R   0:37 1 r2
> 26 low    R   0:35 1 r3
> 27 low    R   0:32 1 r4
> 28 low    R   0:26 1 r5
at 3400s show jobs
> at 3123s job 24 COMPLETED
> at 3123s job 25 COMPLETED
> at 3124.001s job 26 COMPLETED
> at 3127.001s job 27 COMPLETED
> at 3133.001s job 28 COMPLETED
Cancelled.
at 4000s submit -w c1 -n4 --runs 100s
> job 29
at 4000s submit -w c2 -n4 --runs 100s
> job 30
at 4000s submit -w c3 -n4 --runs 100s
> job 31
at 4000s submit -w c4 -n4 --runs 100s
> job 32
at 4000s submit -w c5 -n4 --runs 100s
> job 33
at 4000s cancel 29
> at 4000s job 29 CANCELLED
at 4010s cancel 30
> at 4010s job 30 CANCELLED
at 4021s cancel 31
> at 4021s job 31 CANCELLED
at 4024s cancel 32
> at 4023s launch job 32 on c4
> at 4023s launch job 33 on c5
> at 4024s job 32 CANCELLED
at 4030s cancel 33
> at 4030s job 33 CANCELLED
at 4100s show jobs
The node is lost: the network to it is cut for ever, or for some seconds.
at 5000s submit -w l1 -n4 --runs 100s
> job 34
at 5000s submit -w l2 -n4 --runs 100s
> job 35
at 5000s submit -w l3 -n4 --runs 100s
> job 36
at 5000s submit -w l4 -n4 --runs 100s
> job 37
at 5010s cut l1
at 5021s cut l2
at 5024s cut l3
> at 5023s launch job 36 on l3
> at 5023s launch job 37 on l4
at 5030s cut l4
at 5035s mend l[2-4]
at 5060s show jobs
> at 5038s launch job 35 on l2
> at 5060s job 34 is requeued
> at 5060s resume-fail l1
> 34 low    PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:l1)
> 35 low    R   0:22 1 l2
> 36 low    R   0:37 1 l3
> 37 low    R   0:37 1 l4
at 5400s show jobs
> at 5123s job 36 COMPLETED
> at 5123s job 37 COMPLETED
> at 5138s job 35 COMPLETED
> 34 low    PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:l1)
