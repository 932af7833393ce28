power up force and reboot force look at no state: jobs go back to the queue, and the node is switched on, or rebooted, at once.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
RebootProgram=/bin/true
SuspendTime=3000
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 0s delay boot 20s
at 1s submit -w n1 --requeue --runs 1000s
> job 1
> at 1s resume n1 (job 1: n1)
at 30s admin n1 POWER_UP
> at 21s n1 registers
> at 21s launch job 1 on n1
at 30s show nodes
> n1 mix
> n[2-4] idle~
A cloud's machine that is gone without a word: the node is made anew, and an agent of before does not count.
at 31s switch off n1
at 40s admin n1 POWER_UP_FORCE
> at 36s n1 is lost
> at 40s job 1 is requeued
> at 40s resume n1 (job 1: n1)
at 41s show nodes
> n1 mix#
> n[2-4] idle~
at 200s show jobs
> at 60s n1 registers
> at 60s launch job 1 on n1
>  1 p      R   2:20 1 n1
at 200s cancel 1
> at 200s job 1 CANCELLED
> at 200s terminate job 1 on n1
One that is being switched off, and one that boots.
at 210s admin n1 POWER_DOWN
> at 210s suspend n1
at 211s admin n1 POWER_UP_FORCE
> at 211s disconnect n1
> at 211s resume n1
at 212s show nodes
> n1 idle#
> n[2-4] idle~
at 213s admin n1 POWER_UP_FORCE
> at 213s resume n1
at 240s show nodes
> n1 idle#
> n[2-4] idle~
A reboot that waits for no job.
at 250s submit -w n1 --requeue --runs 1000s
> job 2
at 251s reboot n1
> refused: Invalid node state specified
at 252s show nodes
> n1 mix#
> n[2-4] idle~
at 253s reboot n1 force
> at 253s job 2 is requeued
> at 253s reboot n1
at 254s show node n1
> n1 DOWN+CLOUD+REBOOT_ISSUED+NOT_RESPONDING (boot^, reboot^) Reason=reboot requested : reboot issued
at 254s show jobs
>  2 p      PD  0:00 1 (ReqNodeNotAvail, UnavailableNodes:n1)
at 300s show nodes
> at 273s n1 registers
> at 273s launch job 2 on n1
> n1 mix
> n[2-4] idle~
at 300s show jobs
>  2 p      R   0:27 1 n1
at 301s cancel 2
> at 301s job 2 CANCELLED
> at 301s terminate job 2 on n1
It is taken for one with power, whatever it seems.
at 310s admin n1 POWER_DOWN
> at 310s suspend n1
at 311s reboot n1 force
> at 311s reboot n1
> at 311s n1 is lost
at 312s show node n1
> n1 DOWN+CLOUD+REBOOT_ISSUED+NOT_RESPONDING (boot^, reboot^) Reason=reboot requested : reboot issued
at 400s show nodes
> at 331s n1 registers
> n1 idle
> n[2-4] idle~
SuspendTime of a node counts before that of its partitions and the cluster.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendTime=5000
NodeName=n1 CPUs=2 State=CLOUD SuspendTime=50
NodeName=n2 CPUs=2 State=CLOUD SuspendTime=INFINITE
NodeName=n[3-4] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES SuspendTime=100
end
> at 400s suspend n1
at 1000s admin n[1-3] POWER_UP
> at 405s n1 is lost
> at 1000s resume n[1-3]
at 1200s show nodes
> at 1020s n1 registers
> at 1020s n2 registers
> at 1020s n3 registers
> at 1070s suspend n1
> at 1075s n1 is lost
> at 1120s suspend n3
> at 1125s n3 is lost
> n[1,3-4] idle~
> n2 idle
at 1200s show why n2
> n2 registered since 1020s until -: SuspendTime of the node is INFINITE
