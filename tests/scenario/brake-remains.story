While waking is stopped SuspendProgram switches off what failed boots have left, under a job that runs: an error of it does not
take the job, and a wish to have the node off after the job is kept (PowerDownOnIdle).
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeFailProgram=/bin/true
SuspendTime=3000
SuspendTimeout=30
ResumeTimeout=60
SlurmdTimeout=100
SuspendRate=0
ResumeRate=0
NodeName=n[1-8] CPUs=2
PartitionName=p Nodes=ALL Default=YES
PartitionName=off Nodes=ALL PowerDownOnIdle=YES
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
at 105s submit -p off -w n[1,5] -N2 -c2 --runs 400s
> job 2
> at 105s resume n[1,5] (job 2: n[1,5])
at 164s show nodes
> at 125s launch job 2 on n1
> at 161s job 1 is requeued
> at 161s suspend n2
> at 161s resume-fail n[2-4]
> n1 alloc!
> n2 idle%
> n[3-4] down~
> n5 alloc#
> n[6-8] idle~
at 166s outcome n5 suspend no-power 0s "BMC is busy"
> at 165s suspend n5
> at 165s resume-fail n5
at 167s show nodes
> n1 alloc!
> n2 idle%
> n[3-4] down~
> n5 alloc~
> n[6-8] idle~
at 167s show why n5
> n5 retry since 165s until 226s: wanted by JobId=2; could not be woken (no-power: BMC is busy), to be tried again
at 167s show jobs
>  1 p      PD  0:00 3 (Nodes cannot be woken: ResumeTimeout reached)
>  2 off    R   0:42 2 n[1,5]
at 168s admin n[2-3] POWER_UP
> at 168s resume n3
at 169s kill
> at 169s resume n3
at 230s outcome n5 suspend no-power 0s "BMC is busy"
> at 226s suspend n5
> at 228s suspend n3
> at 228s resume-fail n3
at 240s show why n5
> n5 retry since 226s until 290s: wanted by JobId=2; could not be woken (no-power: BMC is busy), to be tried again
at 300s repair n[2-8]
> at 248s resume n2
> at 290s suspend n5
at 420s show jobs
> at 308s suspend n2
> at 308s resume-fail n2
> at 348s resume n6
> at 368s resume n5 (job 2: n5)
> at 368s suspend n[3-4]
> at 398s resume n[2-4] (job 1: n[2-4])
> at 418s launch job 1 on n2
>  1 p      R   0:02 3 n[2-4]
>  2 off    R   4:55 2 n[1,5]
at 520s show nodes
> n[1,5] alloc!
> n[2-4] alloc
> n6 idle
> n[7-8] idle~
at 700s show jobs
> at 525s job 2 COMPLETED
> at 525s terminate job 2 on n1
> at 525s suspend n5
> at 525.001s suspend n1
> at 618s job 1 COMPLETED
> at 618s terminate job 1 on n2
at 700s show nodes
> n[1,5,7-8] idle~
> n[2-4,6] idle
