A command that holds an allocation (srun) may be cut off, and has SlurmdTimeout to come back.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=100
NodeName=n[1-2] CPUs=2 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s tell step-orphaned
Back in time: nothing has happened.
at 1s submit -w n1 -c2 --interactive
> job 1
at 2s step 1
at 10s holder 1 lost
at 100s holder 1 back
at 300s show jobs
>  1 main   R   4:59 1 n1
Not back: it ends, and its nodes are free for others.
at 301s holder 1 lost
at 310s holder 1 lost
at 320s submit -w n1 -c2 --runs 10s
> job 2
at 400s show jobs
>  1 main   R   6:39 1 n1
>  2 main   PD  0:00 1 (Resources)
at 402s show jobs
> at 401s job 1 CANCELLED
> at 401s terminate job 1 on n1
> at 401.001s launch job 2 on n1
>  2 main   R   0:00 1 n1
One that waits for its nodes ends as well.
at 500s submit -w n1 -c2 --runs 300s
> at 411.001s job 2 COMPLETED
> at 411.001s terminate job 2 on n1
> job 3
> at 500s launch job 3 on n1
at 501s submit -w n1 -c2 --interactive
> job 4
at 502s holder 4 lost
at 603s show jobs
> at 602s job 4 CANCELLED
>  3 main   R   1:43 1 n1
A batch job needs no command; the srun in it that is cut off has its time, too, and only its step is given up.
at 610s step 3
at 611s holder 3 lost
at 712s show jobs
> at 711s step-orphaned job 3
>  3 main   R   3:32 1 n1
Time in which a job is suspended is none of its commands': they may stand still with it, and have SlurmdTimeout when it goes on.
at 2000s submit -w n1 -c2 --interactive
> at 800s job 3 COMPLETED
> at 800s terminate job 3 on n1
> job 5
at 2001s submit -w n2 -c2 --runs 3000s
> job 6
> at 2001s launch job 6 on n2
at 2001s step 6
at 2010s holder 5 lost
at 2010s holder 6 lost
at 2050s suspend 5
at 2050s suspend 6
> at 2050s freeze job 6 on n2
at 3000s show jobs
>  5 main   S   0:50 1 n1
>  6 main   S   0:49 1 n2
at 3000s resume 5
at 3000s resume 6
> at 3000s thaw job 6 on n2
at 3090s holder 5 back
at 3099s show jobs
>  5 main   R   2:29 1 n1
>  6 main   R   2:28 1 n2
at 3101s show jobs
> at 3100s step-orphaned job 6
>  5 main   R   2:31 1 n1
>  6 main   R   2:30 1 n2
