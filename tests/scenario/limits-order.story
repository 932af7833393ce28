A job that is beyond several limits shows the one that Slurm names: those of the QOS before those of the association, jobs and their time before what they ask for, groups before single jobs, an association before those above it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageEnforce=limits,qos
PriorityType=priority/multifactor
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES
end
at 0s sacctmgr add account all
> at 0s n1 registers
> at 0s n2 registers
at 0s sacctmgr add account part parent=all
at 0s sacctmgr add user carol account=part
at 1s sacctmgr modify user carol set maxtrespernode=cpu=1 maxtresperjob=cpu=1 maxtresminsperjob=cpu=1 grptresrunmins=cpu=1 grptres=cpu=1 grptresmins=cpu=0 maxwall=1 maxjobs=0 grpwall=0 grpjobs=0
at 1s sacctmgr add qos q grpjobs=0 grpwall=0 maxjobspa=0 maxjobspu=0 maxwall=1 grptresmins=cpu=0 grptres=cpu=1 grptresrunmins=cpu=1 maxtresminsperjob=cpu=1 maxtresperjob=cpu=1 maxtrespernode=cpu=1 mintresperjob=cpu=9 maxtrespa=cpu=1 maxtrespu=cpu=1
at 1s sacctmgr modify user carol set qos+=q
at 2s submit --user=carol -q q -N2 -n4 -t 10m --runs 10s
> job 1
at 3s show jobs
>  1 p      PD  0:00 2 (QOSGrpJobsLimit)
at 6s sacctmgr modify qos q set grpjobs=-1
at 7s show jobs
>  1 p      PD  0:00 2 (QOSGrpWallLimit)
at 8s sacctmgr modify qos q set grpwall=-1
at 9s show jobs
>  1 p      PD  0:00 2 (MaxJobsPerAccount)
at 10s sacctmgr modify qos q set maxjobspa=-1
at 11s show jobs
>  1 p      PD  0:00 2 (QOSMaxJobsPerUserLimit)
at 12s sacctmgr modify qos q set maxjobspu=-1
at 13s show jobs
>  1 p      PD  0:00 2 (QOSMaxWallDurationPerJobLimit)
at 14s sacctmgr modify qos q set maxwall=-1
at 15s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 16s sacctmgr modify qos q set grptresmins=cpu=-1
at 17s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 18s sacctmgr modify qos q set grptres=cpu=-1
at 19s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 20s sacctmgr modify qos q set grptresrunmins=cpu=-1
at 21s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 22s sacctmgr modify qos q set maxtresminsperjob=cpu=-1
at 23s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 24s sacctmgr modify qos q set maxtresperjob=cpu=-1
at 25s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 26s sacctmgr modify qos q set maxtrespernode=cpu=-1
at 27s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 28s sacctmgr modify qos q set mintresperjob=cpu=-1
at 29s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 30s sacctmgr modify qos q set maxtrespa=cpu=-1
at 31s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 32s sacctmgr modify qos q set maxtrespu=cpu=-1
at 33s show jobs
>  1 p      PD  0:00 2 (AssocGrpJobsLimit)
at 34s sacctmgr modify user carol set grpjobs=-1
at 35s show jobs
>  1 p      PD  0:00 2 (AssocGrpWallLimit)
at 36s sacctmgr modify user carol set grpwall=-1
at 37s show jobs
>  1 p      PD  0:00 2 (AssocMaxJobsLimit)
at 38s sacctmgr modify user carol set maxjobs=-1
at 39s show jobs
>  1 p      PD  0:00 2 (AssocMaxWallDurationPerJobLimit)
at 40s sacctmgr modify user carol set maxwall=-1
at 41s show jobs
>  1 p      PD  0:00 2 (AssocGrpCPUMinutesLimit)
at 42s sacctmgr modify user carol set grptresmins=cpu=-1
at 43s show jobs
>  1 p      PD  0:00 2 (AssocGrpCpuLimit)
at 44s sacctmgr modify user carol set grptres=cpu=-1
at 45s show jobs
>  1 p      PD  0:00 2 (AssocGrpCPURunMinutesLimit)
at 46s sacctmgr modify user carol set grptresrunmins=cpu=-1
at 47s show jobs
>  1 p      PD  0:00 2 (AssocMaxCpuMinutesPerJobLimit)
at 48s sacctmgr modify user carol set maxtresminsperjob=cpu=-1
at 49s show jobs
>  1 p      PD  0:00 2 (AssocMaxCpuPerJobLimit)
at 50s sacctmgr modify user carol set maxtresperjob=cpu=-1
at 51s show jobs
>  1 p      PD  0:00 2 (AssocMaxCpuPerNode)
at 52s sacctmgr modify user carol set maxtrespernode=cpu=-1
> at 52s launch job 1 on n1
at 53s show jobs
>  1 p      R   0:01 2 n[1-2]
