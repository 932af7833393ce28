S5d, CR_CPU without ConstrainCores: cores belong to no job, so all six take turns, four at a time.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptMode=GANG
SchedulerTimeSlice=30
FirstJobId=50
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
> job 50
> at 10s launch job 50 on n12
at 11s submit -N5 --ntasks-per-node 2
> job 51
> at 11s launch job 51 on n12
at 12s submit -N5 --ntasks-per-node 2
> job 52
> at 12s launch job 52 on n12
at 13s submit -N5 --ntasks-per-node 2
> job 53
> at 13s launch job 53 on n12
at 14s submit -N5 --ntasks-per-node 2
> job 54
at 15s submit -N5 --ntasks-per-node 2
> job 55
at 20s show jobs
> 50 active R   0:10 5 n[12-16]
> 51 active R   0:09 5 n[12-16]
> 52 active R   0:08 5 n[12-16]
> 53 active R   0:07 5 n[12-16]
> 54 active S   0:00 5 n[12-16]
> 55 active S   0:00 5 n[12-16]
at 50s show jobs
> at 44s freeze job 52 on n12
> at 44s freeze job 53 on n12
> at 44.001s launch job 54 on n12
> at 44.001s launch job 55 on n12
> 50 active R   0:40 5 n[12-16]
> 51 active R   0:39 5 n[12-16]
> 52 active S   0:32 5 n[12-16]
> 53 active S   0:31 5 n[12-16]
> 54 active R   0:05 5 n[12-16]
> 55 active R   0:05 5 n[12-16]
at 80s show jobs
> at 74s freeze job 50 on n12
> at 74s freeze job 51 on n12
> at 74.001s thaw job 52 on n12
> at 74.001s thaw job 53 on n12
> 50 active S   1:04 5 n[12-16]
> 51 active S   1:03 5 n[12-16]
> 52 active R   0:37 5 n[12-16]
> 53 active R   0:36 5 n[12-16]
> 54 active R   0:35 5 n[12-16]
> 55 active R   0:35 5 n[12-16]
at 110s show jobs
> at 104s freeze job 54 on n12
> at 104s freeze job 55 on n12
> at 104.001s thaw job 50 on n12
> at 104.001s thaw job 51 on n12
> 50 active R   1:09 5 n[12-16]
> 51 active R   1:08 5 n[12-16]
> 52 active R   1:07 5 n[12-16]
> 53 active R   1:06 5 n[12-16]
> 54 active S   0:59 5 n[12-16]
> 55 active S   0:59 5 n[12-16]
at 140s show jobs
> at 134s freeze job 52 on n12
> at 134s freeze job 53 on n12
> at 134.001s thaw job 54 on n12
> at 134.001s thaw job 55 on n12
> 50 active R   1:39 5 n[12-16]
> 51 active R   1:38 5 n[12-16]
> 52 active S   1:31 5 n[12-16]
> 53 active S   1:30 5 n[12-16]
> 54 active R   1:05 5 n[12-16]
> 55 active R   1:05 5 n[12-16]
at 170s show jobs
> at 164s freeze job 50 on n12
> at 164s freeze job 51 on n12
> at 164.001s thaw job 52 on n12
> at 164.001s thaw job 53 on n12
> 50 active S   2:03 5 n[12-16]
> 51 active S   2:02 5 n[12-16]
> 52 active R   1:37 5 n[12-16]
> 53 active R   1:36 5 n[12-16]
> 54 active R   1:35 5 n[12-16]
> 55 active R   1:35 5 n[12-16]
at 171s cancel 50
> at 171s job 50 CANCELLED
> at 171s terminate job 50 on n12 at once
at 172s show jobs
> 51 active S   2:02 5 n[12-16]
> 52 active R   1:39 5 n[12-16]
> 53 active R   1:38 5 n[12-16]
> 54 active R   1:37 5 n[12-16]
> 55 active R   1:37 5 n[12-16]
at 230s show jobs
> at 194s freeze job 55 on n12
> at 194.001s thaw job 51 on n12
> at 224s freeze job 54 on n12
> at 224.001s thaw job 55 on n12
> 51 active R   2:38 5 n[12-16]
> 52 active R   2:37 5 n[12-16]
> 53 active R   2:36 5 n[12-16]
> 54 active S   2:29 5 n[12-16]
> 55 active R   2:05 5 n[12-16]
