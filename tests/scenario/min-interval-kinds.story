power_save_min_interval keeps the starts of a program apart, and nothing else: the first wake is at once, also after a suspend and while
nodes that must not sleep are looked at; what is wanted after it gathers.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=power_save_min_interval=50
NodeName=n[1-2] CPUs=2
NodeName=n[3-6] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 1s submit -N1 -w n1 --exclusive --runs 300s
> at 0s n1 registers
> at 0s n2 registers
> job 1
> at 1s launch job 1 on n1
at 110s submit -N1 -w n3 --exclusive --runs 400s
> at 100s suspend n2
> at 105s n2 is lost
> job 2
> at 110s resume n3 (job 2: n3)
at 111s submit -N1 -w n4 --exclusive --runs 400s
> job 3
at 112s submit -N1 -w n5 --exclusive --runs 400s
> job 4
at 200s show nodes
> at 130s n3 registers
> at 130s launch job 2 on n3
> at 160s resume n[4-5] (job 3: n4; job 4: n5)
> at 180s n4 registers
> at 180s launch job 3 on n4
> at 180s n5 registers
> at 180s launch job 4 on n5
> n[1,3-5] alloc
> n[2,6] idle~
