Limits of generic resources and licenses: AccountingStorageTRES says which; what jobs have counts, of any type and of one, until they end or are sent back.
conf
NodeName=n[1-2] CPUs=8 RealMemory=8000 Gres=gpu:a100:2,gpu:v100:2,nic:4
GresTypes=gpu,nic
Licenses=matlab:4,other:9
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 DefMemPerCPU=100 OverSubscribe=FORCE:1
PartitionName=high Nodes=ALL PriorityTier=2 DefMemPerCPU=100 OverSubscribe=FORCE:1
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageEnforce=limits,qos
AccountingStorageTRES=gres/gpu,gres/gpu:a100,license/matlab
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s sacctmgr add account physics
at 1s sacctmgr add account theory parent=physics
at 1s sacctmgr add qos few maxtrespu=gres/gpu=2,license/matlab=1 maxtrespa=license/matlab=2 mintres=gres/gpu=1
at 1s sacctmgr add qos deny flags=DenyOnLimit maxtrespj=gres/gpu=2 maxtrespn=gres/gpu=1
at 1s sacctmgr modify account physics set qos=normal,few,deny grptres=gres/gpu=4,gres/gpu:a100=2,license/matlab=2
at 1s sacctmgr add user alice,bob account=theory
at 1s sacctmgr modify account theory set grptres=gres/nic=1
> refused: GrpTRES: there is no limit of "gres/nic"; there are cpu, mem, node, billing, and of AccountingStorageTRES gres/gpu, gres/gpu:a100, license/matlab
at 1s sacctmgr modify account theory set grptres=license/other=1
> refused: GrpTRES: there is no limit of "license/other"; there are cpu, mem, node, billing, and of AccountingStorageTRES gres/gpu, gres/gpu:a100, license/matlab
at 2s submit --user=alice --gres gpu:a100:2 --runs 20s
> job 1
> at 2s launch job 1 on n1
at 2s submit --user=alice --gres gpu:a100:1 --runs 20s
> job 2
at 2s submit --user=bob --gres gpu:v100:2 --runs 40s
> job 3
> at 2s launch job 3 on n1
at 2s submit --user=bob --gres gpu:1 --runs 20s
> job 4
at 2s submit --user=bob -L matlab:2 --runs 20s
> job 5
> at 2s launch job 5 on n1
at 2s submit --user=bob -L matlab,other --runs 20s
> job 6
at 2s submit --user=bob -L other:3 --runs 20s
> job 7
> at 2s launch job 7 on n1
at 3s show jobs
>  1 low    R   0:01 1 n1
>  2 low    PD  0:00 1 (AssocGrpGRES)
>  3 low    R   0:01 1 n1
>  4 low    PD  0:00 1 (AssocGrpGRES)
>  5 low    R   0:01 1 n1
>  6 low    PD  0:00 1 (AssocGrpLicense)
>  7 low    R   0:01 1 n1
at 4s suspend 1
> at 4s freeze job 1 on n1
at 5s show jobs
>  1 low    S   0:02 1 n1
>  2 low    PD  0:00 1 (AssocGrpGRES)
>  3 low    R   0:03 1 n1
>  4 low    PD  0:00 1 (AssocGrpGRES)
>  5 low    R   0:03 1 n1
>  6 low    PD  0:00 1 (AssocGrpLicense)
>  7 low    R   0:03 1 n1
at 6s resume 1
> at 6s thaw job 1 on n1
at 7s requeue 3
> at 7s job 3 is requeued
> at 7s terminate job 3 on n1
> at 7s launch job 4 on n2
at 8s show jobs
>  1 low    R   0:04 1 n1
>  2 low    PD  0:00 1 (AssocGrpGRES)
>  3 low    PD  0:00 1 (AssocGrpGRES)
>  4 low    R   0:01 1 n2
>  5 low    R   0:06 1 n1
>  6 low    PD  0:00 1 (AssocGrpLicense)
>  7 low    R   0:06 1 n1
at 100s show jobs
> at 22s job 5 COMPLETED
> at 22s terminate job 5 on n1
> at 22s launch job 6 on n1
> at 22s job 7 COMPLETED
> at 22s terminate job 7 on n1
> at 24s job 1 COMPLETED
> at 24s terminate job 1 on n1
> at 24s launch job 2 on n2
> at 24s launch job 3 on n1
> at 27s job 4 COMPLETED
> at 27s terminate job 4 on n2
> at 42s job 6 COMPLETED
> at 42s terminate job 6 on n1
> at 44s job 2 COMPLETED
> at 44s terminate job 2 on n2
> at 64s job 3 COMPLETED
> at 64s terminate job 3 on n1
Of any type: those that it would be given count.
at 101s submit --user=alice --gres gpu:1 --runs 20s
> job 8
> at 101s launch job 8 on n1
at 101s submit --user=alice --gres gpu:a100:2 --runs 20s
> job 9
at 102s show jobs
>  8 low    R   0:01 1 n1
>  9 low    PD  0:00 1 (AssocGrpGRES)
at 150s show jobs
> at 121s job 8 COMPLETED
> at 121s terminate job 8 on n1
> at 121s launch job 9 on n2
> at 141s job 9 COMPLETED
> at 141s terminate job 9 on n2
A QOS: of each user, of each account, at least and at most.
at 151s submit --user=alice -q few --gres gpu:2 -L matlab --runs 20s
> job 10
> at 151s launch job 10 on n1
at 151s submit --user=alice -q few --gres gpu:1 --runs 20s
> job 11
at 151s submit --user=alice -q few --runs 20s
> job 12
at 151s submit --user=bob -q few --gres gpu:1 -L matlab --runs 20s
> job 13
> at 151s launch job 13 on n1
at 151s submit --user=alice -q deny --gres gpu:3 --runs 20s
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxGRESPerJob)
at 151s submit --user=alice -q deny --gres gpu:2 --runs 20s
> refused: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits) (QOSMaxGRESPerNode)
at 151s submit --user=alice -q deny -N 2 --gres gpu:1 --runs 20s
> job 14
at 152s show jobs
> 10 low    R   0:01 1 n1
> 11 low    PD  0:00 1 (QOSMaxGRESPerUser)
> 12 low    PD  0:00 1 (QOSMinGRES)
> 13 low    R   0:01 1 n1
> 14 low    PD  0:00 2 (AssocGrpGRES)
at 153s sacctmgr modify qos few set mintres=gres/gpu=-1
> at 153s launch job 12 on n1
at 200s show jobs
> at 171s job 10 COMPLETED
> at 171s terminate job 10 on n1
> at 171s launch job 11 on n1
> at 171s job 13 COMPLETED
> at 171s terminate job 13 on n1
> at 171.001s launch job 14 on n1
> at 173s job 12 COMPLETED
> at 173s terminate job 12 on n1
> at 191s job 11 COMPLETED
> at 191s terminate job 11 on n1
> at 191.001s job 14 COMPLETED
> at 191.001s terminate job 14 on n1
Minutes that running jobs have left, of one job and of all.
at 201s sacctmgr modify account physics set grptres=-1 grptresrunmins=gres/gpu=60,license/matlab=30 maxtresmins=gres/gpu=100
at 202s submit --user=alice --gres gpu:2 -t 20m --runs 60s
> job 15
> at 202s launch job 15 on n1
at 202s submit --user=alice --gres gpu:2 -t 20m --runs 60s
> job 16
at 202s submit --user=alice --gres gpu:2 -t 51m --runs 60s
> job 17
at 202s submit --user=alice -L matlab -t 31m --runs 60s
> job 18
at 203s show jobs
> 15 low    R   0:01 1 n1
> 16 low    PD  0:00 1 (AssocGrpGRESRunMinutes)
> 17 low    PD  0:00 1 (AssocMaxGRESMinutesPerJob)
> 18 low    PD  0:00 1 (AssocGrpLicenseRunMinutes)
at 300s show jobs
> at 262s job 15 COMPLETED
> at 262s terminate job 15 on n1
> at 262s launch job 16 on n1
> 16 low    R   0:38 1 n1
> 17 low    PD  0:00 1 (AssocMaxGRESMinutesPerJob)
> 18 low    PD  0:00 1 (AssocGrpLicenseRunMinutes)
One that is stopped for a better one keeps what counts.
at 302s cancel 17
> at 302s job 17 CANCELLED
at 302s cancel 18
> at 302s job 18 CANCELLED
at 303s sacctmgr modify account physics set grptresrunmins=-1 maxtresmins=-1 grptres=gres/gpu=4
at 400s submit --user=alice --gres gpu:2 -n 8 -w n1 --runs 60s
> at 322s job 16 COMPLETED
> at 322s terminate job 16 on n1
> job 19
> at 400s launch job 19 on n1
at 401s submit --user=bob -p high --gres gpu:2 -n 8 -w n1 --runs 60s
> job 20
> at 401s freeze job 19 on n1
at 402s submit --user=bob -p high --gres gpu:1 -n 8 -w n2 --runs 60s
> at 401.001s launch job 20 on n1
> job 21
at 403s show jobs
> 19 low    S   0:01 1 n1
> 20 high   R   0:01 1 n1
> 21 high   PD  0:00 1 (AssocGrpGRES)
at 600s show jobs
> at 461.001s job 20 COMPLETED
> at 461.001s terminate job 20 on n1
> at 461.001s launch job 21 on n2
> at 461.002s thaw job 19 on n1
> at 520.002s job 19 COMPLETED
> at 520.002s terminate job 19 on n1
> at 521.001s job 21 COMPLETED
> at 521.001s terminate job 21 on n2
