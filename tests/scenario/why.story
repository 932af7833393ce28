Why each node has power or not, since when and until when (scontrol show power), and the node that a configuring job waits for.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=300
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SuspendExcNodes=n7
NodeName=n[1-7] CPUs=2 State=CLOUD
NodeName=m[1-2] CPUs=2
PartitionName=p Nodes=n[1-7] Default=YES
PartitionName=slow Nodes=n5 ResumeTimeout=500
PartitionName=always Nodes=m1 SuspendTime=INFINITE
PartitionName=now Nodes=m2 PowerDownOnIdle=YES
end
at 1s show why n1
> at 0s m1 registers
> at 0s m2 registers
> n1 off since - until -: never woken
at 1s show why m1
> m1 registered since 0s until -: SuspendTime of partition always is INFINITE
at 1s show why m2
> m2 registered since 0s until 300s: idle, off after SuspendTime
at 2s submit -N2 -c2 -w n[4-5] --wait-all-nodes --runs 100s
> job 1
> at 2s resume n[4-5] (job 1: n[4-5])
at 2s show why n4
> n4 power-command since 2s until 62s: wanted by JobId=1
at 2s show slowest 1
> job 1 waits for n5
at 3s outcome n5 resume ok
at 3s show why n5
> n5 bmc-on since 3s until 502s: wanted by JobId=1
at 4s admin n6 POWER_UP
> at 4s resume n6
at 4s show why n6
> n6 power-command since 4s until 64s: as asked for by hand (uid 0)
at 4s admin n7 POWER_UP
> at 4s resume n7
at 5s submit -p now -c2 --runs 50s
> job 2
> at 5s launch job 2 on m2
at 5s show why m2
> m2 registered since 5s until -: in use by JobId=2; off after that, as its partition says (PowerDownOnIdle)
at 5s admin n3 DRAIN "bad fan"
at 5s show why n3
> n3 off since - until -: drained: bad fan
at 30s show why n4
> at 22s n4 registers
> at 22s n5 registers
> at 22s launch job 1 on n4
> at 24s n6 registers
> at 24s n7 registers
> n4 registered since 22s until -: in use by JobId=1
at 30s show slowest 1
> job 1 waits for no node
at 30s show why n6
> n6 registered since 24s until 324s: idle, off after SuspendTime
at 30s show why n7
> n7 registered since 24s until -: excluded by SuspendExcNodes
at 60s show why m2
> at 55s job 2 COMPLETED
> at 55s terminate job 2 on m2
> at 55.001s suspend m2
> m2 power-command since 55.001s until 85.001s: as its partition says (PowerDownOnIdle)
at 100s show why m2
> at 60.001s m2 is lost
> m2 off since 55.001s until -: switched off as its partition says (PowerDownOnIdle), no job needs it
at 320s show why n6
> at 122s job 1 COMPLETED
> at 122s terminate job 1 on n4
> n6 registered since 24s until 324s: idle, off after SuspendTime
at 326s show why n6
> at 324s suspend n6
> n6 power-command since 324s until 354s: was idle for SuspendTime
at 327s show why n7
> n7 registered since 24s until -: excluded by SuspendExcNodes
at 400s show why n6
> at 329s n6 is lost
> n6 off since 324s until -: was idle for SuspendTime, no job needs it
at 401s fault never-registers n1
at 401s submit -w n1 --runs 5s
> job 3
> at 401s resume n1 (job 3: n1)
at 402s outcome n1 resume no-power 30s "BMC is silent"
at 403s show why n1
> n1 retry since 401s until 432s: could not be woken (no-power: BMC is silent), no job gets it before its pause is over
at 403s show slowest 3
> job 3 waits for no node
at 440s outcome n1 resume no-boot
> at 422s suspend n5
> at 422.001s suspend n4
> at 427s n5 is lost
> at 427.001s n4 is lost
> at 432s resume n1 (job 3: n1)
> at 440s job 3 is requeued
> at 440s resume-fail n1
at 441s show why n1
> n1 off since 432s until -: DOWN: no-boot
at 450s submit -w n2 --runs 500s
> job 4
> at 450s resume n2 (job 4: n2)
at 451s outcome n2 resume capacity 100s "quota"
at 452s show why n2
> n2 retry since 450s until 551s: could not be woken (capacity: quota), no job gets it before its pause is over
at 453s admin n7 POWER_DOWN
> at 453s suspend n7
at 454s outcome n7 suspend fatal 60s "fuse"
> at 454s disconnect n7
at 454s show why n7
> n7 retry since 453s until 514s: could not be switched off (fatal: fuse), to be tried again
at 470s show why n7
> at 470s n2 registers
> at 470s launch job 4 on n2
> n7 retry since 453s until 514s: could not be switched off (fatal: fuse), to be tried again
