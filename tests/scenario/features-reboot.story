A job asks for a changeable feature that no idle node has: one is rebooted into it (helpers.conf, RebootProgram).
conf
RebootProgram=/sbin/reboot
ResumeTimeout=60
SlurmdTimeout=30
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=2 Feature=f1,f2,l1
NodeName=m[1-2] CPUs=2 Feature=f3
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s m1 registers
> at 0s m2 registers
at 0s helpers "NodeName=n[1-4] Feature=f1,f2 Helper=/bin/true" "MutuallyExclusive=f1,f2" "AllowUserBoot=user"
The label is there: no reboot.
at 1s submit -C l1 -c2 --runs 500s
> job 1
> at 1s launch job 1 on n1
No node has f1: an idle node is rebooted, and the job waits for it.
at 2s submit -C f1 -n1 --runs 100s
> job 2
> at 2s reboot n2
at 3s show node n2
> n2 MIXED+REBOOT_ISSUED+NOT_RESPONDING+POWERING_UP (mix^, mixed^)
at 3s show why n2
> n2 reboot since 2s until 62s: being rebooted for features f1 of JobId=2
at 3s show slowest 2
> job 2 waits for n2
at 3s show features n2
> n2 has f1 active
at 3s show jobs
>  1 p      R   0:02 1 n1
>  2 p      CF  0:00 1 n2
at 30s show jobs
> at 22s launch job 2 on n2
>  1 p      R   0:29 1 n1
>  2 p      R   0:08 1 n2
The same feature again: the node has it, and room.
at 31s submit -C f1 -n1 --runs 100s
> job 3
> at 31s launch job 3 on n2
Another feature: another node.
at 32s submit -C f2 -c2 --runs 50s
> job 4
> at 32s reboot n3
at 60s show jobs
> at 52s launch job 4 on n3
>  1 p      R   0:59 1 n1
>  2 p      R   0:38 1 n2
>  3 p      R   0:29 1 n2
>  4 p      R   0:08 1 n3
It is kept until a job wants another; nodes that have it come first.
at 200s show features n2
> at 102s job 4 COMPLETED
> at 102s terminate job 4 on n3
> at 122s job 2 COMPLETED
> at 122s terminate job 2 on n2
> at 131s job 3 COMPLETED
> at 131s terminate job 3 on n2
> n2 has f1 active
at 200s submit -C f1 -n1 --runs 10s
> job 5
> at 200s launch job 5 on n2
at 201s show jobs
>  1 p      R   3:20 1 n1
>  5 p      R   0:01 1 n2
Alternatives: the one that is active.
at 220s submit -C f2|f1 -w n3 -n1 --runs 10s
> at 210s job 5 COMPLETED
> at 210s terminate job 5 on n2
> job 6
> at 220s launch job 6 on n3
at 221s show features n3
> n3 has f2 active
Its boot fails: the node is down, the job goes elsewhere.
at 300s fault never-registers n3
> at 230s job 6 COMPLETED
> at 230s terminate job 6 on n3
at 301s submit -C f1 -w n3 -n1 --runs 10s
> job 7
> at 301s reboot n3
at 302s show node n3
> n3 MIXED+REBOOT_ISSUED+NOT_RESPONDING+POWERING_UP (mix^, mixed^)
at 370s show node n3
> at 361s job 7 is requeued
> n3 DOWN+NOT_RESPONDING (down*, down*) Reason=reboot timed out
at 371s show job 7
> job 7 PENDING Reason=ReqNodeNotAvail ReqNodeNotAvail, UnavailableNodes:n3 Priority=4294901753 Restarts=1 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
The job goes before the node is back: the node is idle then.
at 400s cancel 7
> at 400s job 7 CANCELLED
at 401s submit -C f2 -w n4 -n1
> job 8
> at 401s reboot n4
at 402s show node n4
> n4 MIXED+REBOOT_ISSUED+NOT_RESPONDING+POWERING_UP (mix^, mixed^)
at 403s cancel 8
> at 403s job 8 CANCELLED
at 430s show node n4
> n4 IDLE (idle, idle)
at 431s show features n4
> n4 has f2 active
A user not in AllowUserBoot has no node rebooted, but may use one that has it.
at 440s helpers "NodeName=n[1-4] Feature=f1,f2 Helper=/bin/true" "AllowUserBoot=root"
at 441s submit -C f1 -w n4 -n1 --runs 10s
> job 9
at 442s show jobs
>  1 p      R   7:21 1 n1
>  9 p      PD  0:00 1 (Resources)
at 443s submit -C f2 -w n4 -n1 --runs 10s
> job 10
> at 443s launch job 10 on n4
at 444s show jobs
>  1 p      R   7:23 1 n1
>  9 p      PD  0:00 1 (Resources)
> 10 p      R   0:01 1 n4
