S5d, CR_Core: six jobs that want two CPUs of each node, which has eight: the first four run, and only those change places
that share cores.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=GANG
SchedulerTimeSlice=30
FirstJobId=44
NodeName=n[12-16] CPUs=8 Sockets=2 CoresPerSocket=4
PartitionName=active OverSubscribe=FORCE:2 Nodes=n[12-16] Default=YES
end
at 0s hush agents
> at 0s n12 registers
> at 0s n13 registers
> at 0s n14 registers
> at 0s n15 registers
> at 0s n16 registers
at 10s submit -N5 --ntasks-per-node 2
> job 44
> at 10s launch job 44 on n12
at 11s submit -N5 --ntasks-per-node 2
> job 45
> at 11s launch job 45 on n12
at 12s submit -N5 --ntasks-per-node 2
> job 46
> at 12s launch job 46 on n12
at 13s submit -N5 --ntasks-per-node 2
> job 47
> at 13s launch job 47 on n12
at 14s submit -N5 --ntasks-per-node 2
> job 48
at 15s submit -N5 --ntasks-per-node 2
> job 49
at 20s show jobs
> 44 active R   0:10 5 n[12-16]
> 45 active R   0:09 5 n[12-16]
> 46 active R   0:08 5 n[12-16]
> 47 active R   0:07 5 n[12-16]
> 48 active S   0:00 5 n[12-16]
> 49 active S   0:00 5 n[12-16]
at 50s show jobs
> at 44s freeze job 44 on n12
> at 44s freeze job 45 on n12
> at 44.001s launch job 48 on n12
> at 44.001s launch job 49 on n12
> 44 active S   0:34 5 n[12-16]
> 45 active S   0:33 5 n[12-16]
> 46 active R   0:38 5 n[12-16]
> 47 active R   0:37 5 n[12-16]
> 48 active R   0:05 5 n[12-16]
> 49 active R   0:05 5 n[12-16]
at 80s show jobs
> at 74s freeze job 48 on n12
> at 74s freeze job 49 on n12
> at 74.001s thaw job 44 on n12
> at 74.001s thaw job 45 on n12
> 44 active R   0:39 5 n[12-16]
> 45 active R   0:38 5 n[12-16]
> 46 active R   1:08 5 n[12-16]
> 47 active R   1:07 5 n[12-16]
> 48 active S   0:29 5 n[12-16]
> 49 active S   0:29 5 n[12-16]
at 110s show jobs
> at 104s freeze job 44 on n12
> at 104s freeze job 45 on n12
> at 104.001s thaw job 48 on n12
> at 104.001s thaw job 49 on n12
> 44 active S   1:03 5 n[12-16]
> 45 active S   1:02 5 n[12-16]
> 46 active R   1:38 5 n[12-16]
> 47 active R   1:37 5 n[12-16]
> 48 active R   0:35 5 n[12-16]
> 49 active R   0:35 5 n[12-16]
