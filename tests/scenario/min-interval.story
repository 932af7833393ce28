power_save_min_interval: passes are that far apart, and nothing is forgotten meanwhile.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=power_save_min_interval=20,power_save_interval=30
NodeName=n[1-6] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 1s submit -N1 --exclusive --runs 50s
> job 1
> at 1s resume n1 (job 1: n1)
at 2s submit -N1 --exclusive --runs 50s
> job 2
at 3s submit -N1 --exclusive --runs 50s
> job 3
at 30s show nodes
> at 21s n1 registers
> at 21s launch job 1 on n1
> at 21s resume n[2-3] (job 2: n2; job 3: n3)
> n1 alloc
> n[2-3] alloc#
> n[4-6] idle~
at 400s show nodes
> at 41s n2 registers
> at 41s launch job 2 on n2
> at 41s n3 registers
> at 41s launch job 3 on n3
> at 71s job 1 COMPLETED
> at 71s terminate job 1 on n1
> at 91s job 2 COMPLETED
> at 91s terminate job 2 on n2
> at 91s job 3 COMPLETED
> at 91s terminate job 3 on n3
> at 171.001s suspend n1
> at 176.001s n1 is lost
> at 191.001s suspend n[2-3]
> at 196.001s n2 is lost
> at 196.001s n3 is lost
> n[1-6] idle~
