max_powered_nodes: no more than three nodes have power at once; a job that needs more waits and shows why.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SlurmctldParameters=max_powered_nodes=3
NodeName=n[1-6] CPUs=2 State=CLOUD
PartitionName=p Nodes=ALL Default=YES
end
at 1s submit -N2 --exclusive --runs 50s
> job 1
> at 1s resume n[1-2] (job 1: n[1-2])
at 2s submit -N2 --exclusive --runs 50s
> job 2
at 3s submit -N4 --exclusive --runs 50s
> job 3
at 4s submit -N1 --exclusive --runs 50s
> job 4
at 5s show jobs
>  1 p      CF  0:00 2 n[1-2]
>  2 p      PD  0:00 2 (MaxPoweredUpNodes)
>  3 p      PD  0:00 4 (Priority)
>  4 p      PD  0:00 1 (Priority)
at 6s admin n6 POWER_UP
> at 6s resume n6
at 7s admin n5 POWER_UP
> refused: Cannot power up more nodes (max_powered_nodes)
at 400s show jobs
> at 21s n1 registers
> at 21s n2 registers
> at 21s launch job 1 on n1
> at 26s n6 registers
> at 71s job 1 COMPLETED
> at 71s terminate job 1 on n1
> at 71s launch job 2 on n2
> at 71.001s launch job 4 on n1
> at 121s job 2 COMPLETED
> at 121s terminate job 2 on n2
> at 121.001s job 4 COMPLETED
> at 121.001s terminate job 4 on n1
> at 221s suspend n6
> at 221.001s suspend n2
> at 221.002s suspend n1
> at 226s n6 is lost
> at 226.001s n2 is lost
> at 226.002s n1 is lost
>  3 p      PD  0:00 4 (MaxPoweredUpNodes)
at 401s show nodes
> n[1-6] idle~
