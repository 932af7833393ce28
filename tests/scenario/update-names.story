scontrol update of a job that waits: its account and QOS count by the names that they have, however they are written; a reservation for an account is left with it.
conf
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES
MinJobAge=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s sacctmgr add account team
at 1s sacctmgr add account other
at 1s sacctmgr add qos few maxjobspa=1
at 1s sacctmgr modify account team set qos=normal,few
at 1s sacctmgr modify account other set qos=normal,few
at 1s sacctmgr add user tim account=team
at 1s sacctmgr add user tim account=other
at 2s submit --user=tim -A team -q few -n1 -t 5m --runs 100s
> job 1
> at 2s launch job 1 on n1
at 2s submit --user=tim -A team -q few -n1 -t 5m --runs 100s
> job 2
at 3s show jobs
>  1 p      R   0:01 1 n1
>  2 p      PD  0:00 1 (MaxJobsPerAccount)
at 3s update owner JobId=2 Account=TEAM QOS=FEW
at 4s show jobs
>  1 p      R   0:02 1 n1
>  2 p      PD  0:00 1 (MaxJobsPerAccount)
at 10s reserve ReservationName=r StartTime=now Duration=1000 Accounts=team Nodes=n2
> reservation r
at 11s submit --user=tim -A team --reservation r -n1 -t 5m --runs 100s --hold
> job 3
at 11s update owner JobId=3 Account=other
at 11s release 3
at 12s show jobs
>  1 p      R   0:10 1 n1
>  2 p      PD  0:00 1 (MaxJobsPerAccount)
>  3 p      PD  0:00 1 (Reservation)
