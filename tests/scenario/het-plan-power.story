The plan counts the boots of all components: time begins for all when the slowest is up.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=60
SuspendTimeout=30
ResumeTimeout=300
SuspendRate=0
ResumeRate=0
SuspendExcParts=up
NodeName=n[1-2] CPUs=2
NodeName=n[3-4] CPUs=2 State=CLOUD
PartitionName=up Nodes=n[1-2] Default=YES
PartitionName=off Nodes=n[3-4]
end
at 0s delay boot 200s
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N2 -p up -t 1000s --runs 1000s --exclusive
> job 1
> at 1s launch job 1 on n1
at 2s submit -N2 -p up -t 500s --runs 500s --exclusive : -N2 -p off -t 800s --exclusive
> job 2, with components up to 3
at 3s show plan
> 2 at 1301s on n[1-2] until 1801s
> 3 at 1301s on n[3-4] until 2101s
A short job on the second component's nodes delays none; one that lasts too long waits.
at 3s submit -N1 -p off -t 300s --runs 20s --exclusive
> job 4
> at 3s resume n3 (job 4: n3)
at 4s show plan
> 2 at 1301s on n[1-2] until 1801s
> 3 at 1301s on n[3-4] until 2101s
at 4s show jobs
>  1 up     R   0:03 2 n[1-2]
>  2 up     PD  0:00 2 (Resources)
>  3 off    PD  0:00 2 (Resources)
>  4 off    CF  0:00 1 n3
at 1001s show jobs
> at 203s n3 registers
> at 203s launch job 4 on n3
> at 223s job 4 COMPLETED
> at 223s terminate job 4 on n3
> at 283.001s suspend n3
> at 288.001s n3 is lost
> at 1001s job 1 COMPLETED
> at 1001s terminate job 1 on n1
>  1 up     CG 16:40 2 n[1-2]
>  2 up     PD  0:00 2 (Resources)
>  3 off    PD  0:00 2 (Resources)
at 1300s show jobs
> at 1001.001s resume n[3-4] (job 3: n[3-4])
> at 1201.001s n3 registers
> at 1201.001s n4 registers
> at 1201.001s launch job 2 on n1
>  2 up     R   1:38 2 n[1-2]
>  3 off    R   1:38 2 n[3-4]
at 1900s show jobs
> at 1701.001s job 2 COMPLETED
> at 1701.001s terminate job 2 on n1
> at 1701.001s job 3 COMPLETED
> at 1761.001s suspend n[3-4]
> at 1766.001s n3 is lost
> at 1766.001s n4 is lost
