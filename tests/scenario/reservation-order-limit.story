A heterogeneous job waits for room in one partition of a component, and for a limit in the other: it keeps its place in its leader's reservation.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
AccountingStorageEnforce=limits
NodeName=n[1-4] CPUs=4
PartitionName=main Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=p1 Nodes=n2 MaxTime=INFINITE
PartitionName=p2 Nodes=n[3-4] QOS=five MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s sacctmgr add qos five grptres=cpu=5
at 0s sacctmgr add account team
at 0s sacctmgr add user user account=team
at 0s reserve ReservationName=r StartTime=now Duration=300 Users=user Nodes=n1
> reservation r
at 1s submit -n2 -t 10m --runs 100s -p p1
> job 1
> at 1s launch job 1 on n2
at 1s submit -n2 -t 10m --runs 200s -p p2
> job 2
> at 1s launch job 2 on n3
at 2s submit --reservation r -n1 -t 10m --runs 10s : -N1 --exclusive -t 10m -p p1,p2
> job 3, with components up to 4
at 3s submit --reservation r -n4 -t 60m --runs 3000s
> job 5
at 4s show jobs
>  1 p1     R   0:03 1 n2
>  2 p2     R   0:03 1 n3
>  3 main   PD  0:00 1 (QOSGrpCpuLimit)
>  4 p1     PD  0:00 1 (QOSGrpCpuLimit)
>  5 main   PD  0:00 1 (Priority)
at 150s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n2
> at 101.001s launch job 3 on n1
> at 111.001s job 3 COMPLETED
> at 111.001s terminate job 3 on n1
> at 111.001s job 4 COMPLETED
> at 111.002s launch job 5 on n1
>  2 p2     R   2:29 1 n3
>  5 main   R   0:38 1 n1
