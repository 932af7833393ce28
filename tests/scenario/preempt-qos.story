preempt/qos where victims end: each QOS says how and when its jobs go, those of one QOS only with WITHIN, and by priority.

conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=CANCEL
PreemptType=preempt/qos
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end

at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers

at 0s sacctmgr add qos back preemptmode=requeue priority=1

at 0s sacctmgr add qos gentle gracetime=30 priority=5

at 0s sacctmgr add qos keep preemptmode=off

at 0s sacctmgr add qos young preemptexempttime=1:00

at 0s sacctmgr add qos within preemptmode=within,cancel

at 0s sacctmgr add qos above preemptmode=priority,cancel

at 0s sacctmgr add qos high preempt=normal,back,gentle,keep,young,above priority=100

The cluster's mode, where the QOS has none.
at 1s submit -n2 -w n1
> job 1
> at 1s launch job 1 on n1

at 2s submit -n2 -w n1 -q high --runs 10s
> job 2
> at 2s job 1 PREEMPTED
> at 2s terminate job 1 on n1

Its own: sent back, though the cluster cancels.
at 20s submit -n2 -w n1 -q back --runs 100s
> at 2.001s launch job 2 on n1
> at 12.001s job 2 COMPLETED
> at 12.001s terminate job 2 on n1
> job 3
> at 20s launch job 3 on n1

at 21s submit -n2 -w n1 -q high --runs 10s
> job 4
> at 21s job 3 is requeued
> at 21s terminate job 3 on n1

at 40s show jobs
> at 21.001s launch job 4 on n1
> at 31.001s job 4 COMPLETED
> at 31.001s terminate job 4 on n1
> at 31.002s launch job 3 on n1
>  3 p      R   0:08 1 n1

at 50s cancel 3
> at 50s job 3 CANCELLED
> at 50s terminate job 3 on n1

Its own GraceTime.
at 60s submit -n2 -w n1 -q gentle
> job 5
> at 60s launch job 5 on n1

at 61s submit -n2 -w n1 -q high --runs 10s
> job 6
> at 61s signal job 5 on n1
> at 61s signal job 5 on n1

at 62s show jobs
>  5 p      R   0:02 1 n1
>  6 p      PD  0:00 1 (Resources)

at 110s show jobs
> at 91s job 5 PREEMPTED
> at 91s terminate job 5 on n1
> at 91.001s launch job 6 on n1
> at 101.001s job 6 COMPLETED
> at 101.001s terminate job 6 on n1

Its own PreemptExemptTime, and OFF.
at 120s submit -n2 -w n1 -q young
> job 7
> at 120s launch job 7 on n1

at 121s submit -n2 -w n2 -q keep
> job 8
> at 121s launch job 8 on n2

at 122s submit -n2 -w n1 -q high --runs 10s
> job 9

at 123s submit -n2 -w n2 -q high --runs 10s
> job 10

at 179s show jobs
>  7 p      R   0:59 1 n1
>  8 p      R   0:58 1 n2
>  9 p      PD  0:00 1 (Resources)
> 10 p      PD  0:00 1 (Resources)

at 185s show jobs
> at 180s job 7 PREEMPTED
> at 180s terminate job 7 on n1
> at 180.001s launch job 9 on n1
>  8 p      R   1:04 1 n2
>  9 p      R   0:04 1 n1
> 10 p      PD  0:00 1 (Resources)

at 185s cancel 8
> at 185s job 8 CANCELLED
> at 185s terminate job 8 on n2

at 196s show jobs
> at 185.001s launch job 10 on n2
> at 190.001s job 9 COMPLETED
> at 190.001s terminate job 9 on n1
> at 195.001s job 10 COMPLETED
> at 195.001s terminate job 10 on n2

A job that is not in the list of its QOS is left alone.
at 210s submit -n2 -w n1 -q high
> job 11
> at 210s launch job 11 on n1

at 211s submit -n2 -w n1 -q gentle
> job 12

at 212s show jobs
> 11 p      R   0:02 1 n1
> 12 p      PD  0:00 1 (Resources)

at 213s cancel 11
> at 213s job 11 CANCELLED
> at 213s terminate job 11 on n1

at 214s cancel 12
> at 213.001s launch job 12 on n1
> at 214s job 12 CANCELLED
> at 214s terminate job 12 on n1

WITHIN: of one QOS the job of higher priority, not the same.
at 220s submit -n2 -w n1 -q within --priority 100
> job 13
> at 220s launch job 13 on n1

at 221s submit -n2 -w n1 -q within --priority 100
> job 14

at 222s show jobs
> 13 p      R   0:02 1 n1
> 14 p      PD  0:00 1 (Resources)

at 223s submit -n2 -w n1 -q within --priority 101 --runs 10s
> job 15
> at 223s job 13 PREEMPTED
> at 223s terminate job 13 on n1

at 224s show jobs
> at 223.001s launch job 15 on n1
> 14 p      PD  0:00 1 (Resources)
> 15 p      R   0:00 1 n1

at 240s cancel 14
> at 233.001s job 15 COMPLETED
> at 233.001s terminate job 15 on n1
> at 233.002s launch job 14 on n1
> at 240s job 14 CANCELLED
> at 240s terminate job 14 on n1

PRIORITY: the list is not enough, the priority must be higher too.
at 250s submit -n2 -w n1 -q above --priority 100
> job 16
> at 250s launch job 16 on n1

at 251s submit -n2 -w n1 -q high --priority 100
> job 17

at 252s show jobs
> 16 p      R   0:02 1 n1
> 17 p      PD  0:00 1 (Resources)

at 253s submit -n2 -w n1 -q high --priority 101 --runs 10s
> job 18
> at 253s job 16 PREEMPTED
> at 253s terminate job 16 on n1

at 254s show jobs
> at 253.001s launch job 18 on n1
> 17 p      PD  0:00 1 (Resources)
> 18 p      R   0:00 1 n1

The QOS of the lowest priority goes first, though it has run for longer.
at 300s cancel 17
> at 263.001s job 18 COMPLETED
> at 263.001s terminate job 18 on n1
> at 263.002s launch job 17 on n1
> at 300s job 17 CANCELLED
> at 300s terminate job 17 on n1

at 301s submit -n2 -w n1 -q back
> job 19
> at 301s launch job 19 on n1

at 310s submit -n2 -w n2 -q gentle
> job 20
> at 310s launch job 20 on n2

at 320s submit -n2 -q high --runs 10s
> job 21
> at 320s job 19 is requeued
> at 320s terminate job 19 on n1
