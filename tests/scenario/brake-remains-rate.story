SuspendRate delays the power-off of a node whose boot has failed while waking is stopped: it is switched off also when its job
has ended before; without a SuspendProgram jobs get it at once.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=1
ResumeRate=0
NodeName=n[1-8] CPUs=2
PartitionName=p Nodes=ALL Default=YES
yaml brake_after: 3
yaml boot_retries: 0
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
at 0s delay boot 20s
at 1s admin n[1-8] POWER_DOWN
at 900s fault ignores-on n[2-8]
> at 60s suspend n1
> at 120s suspend n2
> at 180s suspend n3
> at 240s suspend n4
> at 300s suspend n5
> at 360s suspend n6
> at 420s suspend n7
> at 480s suspend n8
at 901s submit -w n[2-4] -N3 -c2 --runs 200s
> job 1
> at 901s resume n[2-4] (job 1: n[2-4])
at 905s submit -w n[1,5-6] -N3 -c2 --runs 41s
> job 2
> at 905s resume n[1,5-6] (job 2: n[1,5-6])
at 964s show nodes
> at 925s launch job 2 on n1
> at 961s job 1 is requeued
> at 961s suspend n2
> at 961s resume-fail n[2-4]
> n1 alloc
> n2 idle%
> n[3-4] down~
> n[5-6] alloc#
> n[7-8] idle~
at 965s show why n5
> at 965s resume-fail n[5-6]
> n5 queued since - until -: wanted by JobId=2, waits as waking of nodes is stopped: ResumeTimeout reached
at 967s show nodes
> at 966s job 2 COMPLETED
> at 966s terminate job 2 on n1
> n1 idle
> n2 idle%
> n[3-4] down~
> n[5-8] idle~
at 1100s show nodes
> at 971s resume n7
> at 1020s suspend n5
> at 1031s resume-fail n7
> at 1051s resume n8
> at 1080s suspend n6
> n1 idle
> n[2,5,7] idle~
> n[3-4] down~
> n6 idle%
> n8 idle#
