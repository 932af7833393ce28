GrpJobs, and a job whose EpilogSlurmctld hangs: it is over, so no limit counts it as running.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=1
EpilogSlurmctld=/epilog
AccountingStorageEnforce=limits,qos
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s delay hook 100s
at 1s sacctmgr add account physics
at 1s sacctmgr modify account physics set grpjobs=1
at 1s sacctmgr add user alice account=physics
at 1s submit --user=alice --runs 10s
> job 1
> at 1s launch job 1 on n1
at 1s submit --user=alice --runs 10s
> job 2
at 30s show jobs
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> at 11s hook job 1
> at 11s launch job 2 on n1
> at 21s job 2 COMPLETED
> at 21s terminate job 2 on n1
> at 21s hook job 2
>  1 p      CG  0:10 1 n1
>  2 p      CG  0:10 1 n1
at 200s show jobs
