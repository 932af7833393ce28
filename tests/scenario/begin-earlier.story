The begin time of a job that waits for it is set to an earlier time, and to a later one: its plan and its reason go by the new one at
once.
conf
NodeName=n1 CPUs=4
PartitionName=p Nodes=n1 Default=YES
end
at 0s hush agents
> at 0s n1 registers
at 0s submit -N1 --exclusive -t 10m --runs 10m
> job 1
> at 0s launch job 1 on n1
at 1s submit --begin 3h -N1 --exclusive -t 10m --runs 10m
> job 2
at 2s show plan
> 2 is not planned
at 3s update JobId=2 StartTime=now
at 3s show jobs
>  1 p      R   0:03 1 n1
>  2 p      PD  0:00 1 (Resources)
at 4s show plan
> 2 at 600s on n1 until 1200s
at 5s update JobId=2 StartTime=now+3600
at 5s show jobs
>  1 p      R   0:05 1 n1
>  2 p      PD  0:00 1 (BeginTime)
at 6s show plan
> 2 is not planned
at 700s show jobs
> at 600s job 1 COMPLETED
> at 600s terminate job 1 on n1
>  2 p      PD  0:00 1 (BeginTime)
at 701s update JobId=2 StartTime=now
> at 701s launch job 2 on n1
at 702s show jobs
>  2 p      R   0:01 1 n1
