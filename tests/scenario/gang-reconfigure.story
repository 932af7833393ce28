Time slices go on where slurm.conf is read again: a job that waits for its turn does not wait for another one.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=GANG
SchedulerTimeSlice=30
NodeName=n1 CPUs=4
PartitionName=other Nodes=n1
PartitionName=p Nodes=n1 OverSubscribe=FORCE:4 Default=YES
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -N1 -n4 -t 600s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1 -n4 -t 600s
> job 2
at 3s show stopped
> 2 for 1 until 32s
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=GANG
SchedulerTimeSlice=30
NodeName=n1 CPUs=4
PartitionName=p Nodes=n1 OverSubscribe=FORCE:4 Default=YES
end
at 25s show stopped
> 2 for 1 until 32s
at 33s show jobs
> at 32s freeze job 1 on n1
> at 32.001s launch job 2 on n1
>  1 p      S   0:31 1 n1
>  2 p      R   0:00 1 n1
A shorter one holds at once.
at 34s show stopped
> 1 for 2 until 62s
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=GANG
SchedulerTimeSlice=10
NodeName=n1 CPUs=4
PartitionName=p Nodes=n1 OverSubscribe=FORCE:4 Default=YES
end
at 35s show stopped
> 1 for 2 until 44s
A longer one from the next on.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=GANG
SchedulerTimeSlice=50
NodeName=n1 CPUs=4
PartitionName=p Nodes=n1 OverSubscribe=FORCE:4 Default=YES
end
at 36s show stopped
> 1 for 2 until 44s
at 46s show stopped
> at 44s freeze job 2 on n1
> at 44.001s thaw job 1 on n1
> 2 for 1 until 94s
