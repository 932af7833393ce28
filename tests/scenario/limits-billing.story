TRESBillingWeights: what jobs cost is limited, and fair shares follow from it.
conf
NodeName=n[1-2] CPUs=8 RealMemory=8192 Gres=gpu:4
GresTypes=gpu
Licenses=matlab:4
PartitionName=plain Nodes=ALL Default=YES DefMemPerCPU=128
PartitionName=dear Nodes=ALL DefMemPerCPU=128 TRESBillingWeights=CPU=1.0,Mem=2G,GRES/gpu=4,license/matlab=10
PartitionName=cheap Nodes=ALL DefMemPerCPU=128 TRESBillingWeights=CPU=0.25
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
PriorityType=priority/multifactor
PriorityWeightFairshare=1000
PriorityDecayHalfLife=0
PriorityCalcPeriod=1
AccountingStorageEnforce=limits,qos
AccountingStorageTRES=gres/gpu,license/matlab
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s sacctmgr add account physics
at 1s sacctmgr add account chem
at 1s sacctmgr add user alice account=physics
at 1s sacctmgr add user bob account=chem
at 1s sacctmgr modify account physics set grptres=billing=10
A CPU, a GB and a GPU are 7 of 10; three CPUs elsewhere the other 3.
at 2s submit --user=alice -p dear --mem 1G --gres gpu:1 --runs 20s
> job 1
> at 2s launch job 1 on n1
at 2s submit --user=alice -p dear -n 2 --mem 1G --runs 20s
> job 2
at 2s submit --user=alice -p dear -n 4 --mem 1G --runs 20s
> job 3
at 2s submit --user=alice -p plain -n 3 --runs 20s
> job 4
> at 2s launch job 4 on n1
at 2s submit --user=alice -p cheap -n 8 --runs 20s
> job 5
at 2s submit --user=alice -p dear -L matlab --runs 20s
> job 6
at 3s show jobs
>  1 dear   R   0:01 1 n1
>  2 dear   PD  0:00 1 (AssocGrpBilling)
>  3 dear   PD  0:00 1 (AssocGrpBilling)
>  4 plain  R   0:01 1 n1
>  5 cheap  PD  0:00 1 (AssocGrpBilling)
>  6 dear   PD  0:00 1 (AssocGrpBilling)
at 20s show jobs
>  1 dear   R   0:18 1 n1
>  2 dear   PD  0:00 1 (AssocGrpBilling)
>  3 dear   PD  0:00 1 (AssocGrpBilling)
>  4 plain  R   0:18 1 n1
>  5 cheap  PD  0:00 1 (AssocGrpBilling)
>  6 dear   PD  0:00 1 (AssocGrpBilling)
at 100s show jobs
> at 22s job 1 COMPLETED
> at 22s terminate job 1 on n1
> at 22s launch job 2 on n1
> at 22s launch job 5 on n2
> at 22s job 4 COMPLETED
> at 22s terminate job 4 on n1
> at 42s job 2 COMPLETED
> at 42s terminate job 2 on n1
> at 42s launch job 3 on n1
> at 42s job 5 COMPLETED
> at 42s terminate job 5 on n2
> at 62s job 3 COMPLETED
> at 62s terminate job 3 on n1
>  6 dear   PD  0:00 1 (AssocGrpBilling)
at 101s sacctmgr modify account physics set grptres=-1 grptresmins=billing=100 grptresrunmins=billing=60
at 102s submit --user=alice -p dear --gres gpu:1 -t 10m --runs 60s
> job 7
> at 102s launch job 7 on n1
at 102s submit --user=alice -p dear -t 10m --runs 60s
> job 8
> at 102s launch job 8 on n1
at 102s submit --user=alice -p cheap -t 10m --runs 60s
> job 9
> at 102s launch job 9 on n1
at 103s show jobs
>  6 dear   PD  0:00 1 (AssocGrpBillingRunMinutes)
>  7 dear   R   0:01 1 n1
>  8 dear   R   0:01 1 n1
>  9 cheap  R   0:01 1 n1
at 200s show jobs
> at 162s job 7 COMPLETED
> at 162s terminate job 7 on n1
> at 162s job 8 COMPLETED
> at 162s terminate job 8 on n1
> at 162s job 9 COMPLETED
> at 162s terminate job 9 on n1
>  6 dear   PD  0:00 1 (AssocGrpBillingRunMinutes)
A user with more billing comes later: alice, with fewer CPUs.
at 301s sacctmgr modify account physics set grptresmins=-1 grptresrunmins=-1
> at 301s launch job 6 on n1
at 301s submit --user=bob -p cheap -n 8 --mem 8G -t 10m --runs 100s
> job 10
> at 301s launch job 10 on n2
at 301s submit --user=bob -p cheap -n 8 --mem 8G -t 10m --runs 100s
> job 11
at 302s submit --user=alice -p plain -n 8 --mem 8G -t 10m --runs 60s
> job 12
at 302s submit --user=bob -p plain -n 8 --mem 8G -t 10m --runs 60s
> job 13
at 450s show jobs
> at 321s job 6 COMPLETED
> at 321s terminate job 6 on n1
> at 321.001s launch job 11 on n1
> at 401s job 10 COMPLETED
> at 401s terminate job 10 on n2
> at 401.001s launch job 13 on n2
> at 421.001s job 11 COMPLETED
> at 421.001s terminate job 11 on n1
> at 421.002s launch job 12 on n1
> 12 plain  R   0:28 1 n1
> 13 plain  R   0:48 1 n2
