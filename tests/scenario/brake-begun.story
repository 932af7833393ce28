While waking is stopped a boot expires of nodes that a job on other nodes waits for, which runs already: SuspendProgram switches
them off at once, and when waking goes on they are woken for the job; kill -9 in between changes nothing.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
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
> at 1s suspend n[1-8]
at 100s fault ignores-on n[2-8]
at 101s submit -w n[2-4] -N3 -c2 --runs 200s
> job 1
> at 101s resume n[2-4] (job 1: n[2-4])
at 105s submit -w n[1,5-6] -N3 -c2 --runs 300s
> job 2
> at 105s resume n[1,5-6] (job 2: n[1,5-6])
at 150s show nodes
> at 125s launch job 2 on n1
> n1 alloc
> n[2-6] alloc#
> n[7-8] idle~
at 150s show jobs
>  1 p      CF  0:00 3 n[2-4]
>  2 p      R   0:25 3 n[1,5-6]
at 162s show nodes
> at 161s job 1 is requeued
> at 161s suspend n4
> at 161s resume-fail n[2-4]
> n1 alloc
> n[2-3] down~
> n4 idle%
> n[5-6] alloc#
> n[7-8] idle~
at 170s show nodes
> at 165s suspend n[5-6]
> at 165s resume-fail n[5-6]
> n1 alloc
> n[2-3] down~
> n4 idle%
> n[5-6] alloc%
> n[7-8] idle~
at 170s show brake
> failures-in-a-row since 161s: ResumeTimeout reached; 0 probes failed, next not before 171s
at 170s show jobs
>  1 p      PD  0:00 3 (Nodes cannot be woken: ResumeTimeout reached)
>  2 p      R   0:45 3 n[1,5-6]
at 170s show why n5
> n5 power-command since 165s until 195s: as its boot has failed
at 171s kill
> at 171s resume n7
at 172s show nodes
> n1 alloc
> n[2-3] down~
> n4 idle%
> n[5-6] alloc%
> n7 idle#
> n8 idle~
at 172s show why n5
> n5 power-command since 165s until 195s: as its boot has failed
at 172s repair n[2-8]
at 196s show nodes
> n1 alloc
> n[2-3] down~
> n[4,8] idle~
> n[5-6] alloc~
> n7 idle#
at 196s show brake
> failures-in-a-row since 161s: ResumeTimeout reached; 0 probes failed, under way: n7
at 205s show nodes
> n1 alloc
> n[2-3] down~
> n[4,8] idle~
> n[5-6] alloc~
> n7 idle#
at 500s show nodes
> at 231s suspend n7
> at 231s resume-fail n7
> at 251s resume n8
> at 271s resume n[5-6] (job 2: n[5-6])
> at 271s suspend n[2-3]
> at 301s resume n[2-4] (job 1: n[2-4])
> at 321s launch job 1 on n2
> at 425s job 2 COMPLETED
> at 425s terminate job 2 on n1
> n[1,5-6,8] idle
> n[2-4] alloc
> n7 idle~
at 500s show node n5
> n5 IDLE (idle, idle)
at 500s show jobs
>  1 p      R   2:59 3 n[2-4]
