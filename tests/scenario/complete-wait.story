CompleteWait: no job starts while one has been COMPLETING for less than that, in any partition; one that lets go of all its nodes ends it.
conf
CompleteWait=10
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MinJobAge=2
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=n[1-2] Default=YES
PartitionName=q Nodes=n3
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
Nothing of it is left at once.
at 1s submit -N2 -n4 --runs 9s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N2 -n4 --runs 9s
> job 2
at 3s submit -n1 --runs 9s
> job 3
at 11s show jobs
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> at 10.001s launch job 2 on n1
>  2 p      R   0:00 2 n[1-2]
>  3 p      PD  0:00 1 (Resources)
One of its nodes is slow: after ten seconds no job waits for it any more.
at 100s fault unkillable n1
> at 19.001s job 2 COMPLETED
> at 19.001s terminate job 2 on n1
> at 19.002s launch job 3 on n1
> at 28.002s job 3 COMPLETED
> at 28.002s terminate job 3 on n1
at 100s delay unkillable 60s
at 101s submit -N2 -n4 --runs 9s
> job 4
> at 101s launch job 4 on n1
at 102s submit -n1 --runs 100s
> job 5
at 111s submit -n1 -p q --runs 1s
> at 110s job 4 COMPLETED
> at 110s terminate job 4 on n1
> job 6
at 112s show jobs
>  4 p      CG  0:09 2 n[1-2]
>  5 p      PD  0:00 1 (Resources)
>  6 q      PD  0:00 1 (Priority)
at 119s show jobs
>  4 p      CG  0:09 2 n[1-2]
>  5 p      PD  0:00 1 (Resources)
>  6 q      PD  0:00 1 (Priority)
at 121s show jobs
> at 120s launch job 5 on n2
> at 120s launch job 6 on n3
> at 121s job 6 COMPLETED
> at 121s terminate job 6 on n3
>  4 p      CG  0:09 2 n[1-2]
>  5 p      R   0:01 1 n2
>  6 q      CG  0:01 1 n3
What comes later is not held up by it.
at 130s submit -n1 -p q --runs 1s
> job 7
> at 130s launch job 7 on n3
at 230s show jobs
> at 131s job 7 COMPLETED
> at 131s terminate job 7 on n3
> at 220s job 5 COMPLETED
> at 220s terminate job 5 on n2
One node is free before the other: it is kept for the job that needs both.
at 300s repair n1
at 300s admin n1 UNDRAIN
at 300s delay gone 4s
at 301s submit -N2 -n4 --runs 9s
> job 8
> at 301s launch job 8 on n1
at 302s submit -N2 -n4 --runs 1s
> job 9
at 303s submit -n1 --runs 1s
> job 10
at 313s submit -n1 -p q --runs 1s
> at 310s job 8 COMPLETED
> at 310s terminate job 8 on n1
> job 11
at 313s show jobs
>  8 p      CG  0:09 2 n[1-2]
>  9 p      PD  0:00 2 (Resources)
> 10 p      PD  0:00 1 (Priority)
> 11 q      PD  0:00 1 (Priority)
at 315s show jobs
> at 314s launch job 9 on n1
> at 314s launch job 11 on n3
> at 315s job 9 COMPLETED
> at 315s terminate job 9 on n1
> at 315s job 11 COMPLETED
> at 315s terminate job 11 on n3
>  9 p      CG  0:01 2 n[1-2]
> 10 p      PD  0:00 1 (Resources)
> 11 q      CG  0:01 1 n3
One that goes back to the queue is waited for, too.
at 400s submit -n1 --runs 100s
> at 319s launch job 10 on n1
> at 320s job 10 COMPLETED
> at 320s terminate job 10 on n1
> job 12
> at 400s launch job 12 on n1
at 401s requeue 12
> at 401s job 12 is requeued
> at 401s terminate job 12 on n1
at 402s submit -n1 -p q --runs 1s
> job 13
at 404s show jobs
> 12 p      CG  0:00 1 n1
> 13 q      PD  0:00 1 (Priority)
at 406s show jobs
> at 405s launch job 12 on n1
> at 405s launch job 13 on n3
> at 406s job 13 COMPLETED
> at 406s terminate job 13 on n3
> 12 p      R   0:01 1 n1
> 13 q      CG  0:01 1 n3
at 420s cancel 12
> at 420s job 12 CANCELLED
> at 420s terminate job 12 on n1
Another moment: CompleteWait is taken back meanwhile.
at 500s delay gone 8s
at 501s submit -n1 --runs 9s
> job 14
> at 501s launch job 14 on n1
at 511s submit -n1 -p q --runs 1s
> at 510s job 14 COMPLETED
> at 510s terminate job 14 on n1
> job 15
at 512s show jobs
> 14 p      CG  0:09 1 n1
> 15 q      PD  0:00 1 (Priority)
conf
CompleteWait=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MinJobAge=2
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=n[1-2] Default=YES
PartitionName=q Nodes=n3
end
> at 512s launch job 15 on n3
at 513s show jobs
> at 513s job 15 COMPLETED
> at 513s terminate job 15 on n3
> 14 p      CG  0:09 1 n1
> 15 q      CG  0:01 1 n3
