A job that could not be stopped is tried again, with pauses that grow to a minute (10s for each freeze that fails), and at once
when the node that failed reports it frozen.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-3] CPUs=2 RealMemory=1000
PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL
PartitionName=low PriorityTier=1 Default=YES
PartitionName=high PriorityTier=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s fault cannot-freeze n2
at 1s submit -N2 -c2 --mem 100 --runs 1000s -w n[1-2]
> job 1
> at 1s launch job 1 on n1
at 2s step 1
at 10s submit -N1 -p high -c2 --mem 100 --runs 10s -w n1
> job 2
> at 10s freeze job 1 on n1
> at 10s freeze job 1 on n2
Failures at 20s, 40s, 70s, 120s, 190s: pauses of 10s, 20s, 40s and 60s lie between them.
at 200s show jobs
> at 20s thaw job 1 on n1
> at 30s freeze job 1 on n1
> at 30s freeze job 1 on n2
> at 40s thaw job 1 on n1
> at 60s freeze job 1 on n1
> at 60s freeze job 1 on n2
> at 70s thaw job 1 on n1
> at 110s freeze job 1 on n1
> at 110s freeze job 1 on n2
> at 120s thaw job 1 on n1
> at 180s freeze job 1 on n1
> at 180s freeze job 1 on n2
> at 190s thaw job 1 on n1
>  1 low    R   2:29 2 n[1-2]
>  2 high   PD  0:00 1 (Resources)
The fault is gone: at the next attempt job 1 stands still, and job 2 runs.
at 200s repair n2
at 265s show jobs
> at 250s freeze job 1 on n1
> at 250s freeze job 1 on n2
> at 250.001s launch job 2 on n1
> at 260.001s job 2 COMPLETED
> at 260.001s terminate job 2 on n1
> at 260.002s thaw job 1 on n1
> at 260.002s thaw job 1 on n2
>  1 low    R   3:23 2 n[1-2]
It could be stopped, so that the next failure begins with the shortest pause.
at 300s fault cannot-freeze n2
at 300s submit -N1 -p high -c2 --mem 100 --runs 10s -w n1
> job 3
> at 300s freeze job 1 on n1
> at 300s freeze job 1 on n2
at 325s show jobs
> at 310s thaw job 1 on n1
> at 320s freeze job 1 on n1
> at 320s freeze job 1 on n2
>  1 low    S   4:08 2 n[1-2]
>  3 high   CF  0:00 1 n1
scontrol suspend works after a failure: when job 1 is resumed it may be stopped at once.
at 340s repair n2
> at 330s thaw job 1 on n1
at 341s suspend 1
> at 341s freeze job 1 on n1
> at 341s freeze job 1 on n2
at 342s resume 1
> at 341.001s launch job 3 on n1
at 343s show jobs
>  1 low    S   4:19 2 n[1-2]
>  3 high   R   0:01 1 n1
A preemptor that does not wait any longer: nothing is asked of job 1.
at 400s fault cannot-freeze n2
> at 351.001s job 3 COMPLETED
> at 351.001s terminate job 3 on n1
> at 351.002s thaw job 1 on n1
> at 351.002s thaw job 1 on n2
at 400s submit -N1 -p high -c2 --mem 100 --runs 10s -w n1
> job 4
> at 400s freeze job 1 on n1
> at 400s freeze job 1 on n2
at 425s show jobs
> at 410s thaw job 1 on n1
> at 420s freeze job 1 on n1
> at 420s freeze job 1 on n2
>  1 low    S   5:18 2 n[1-2]
>  4 high   CF  0:00 1 n1
at 425s cancel 4
> at 425s job 4 CANCELLED
> at 425s thaw job 1 on n1
> at 425s thaw job 1 on n2
at 465s show jobs
>  1 low    R   5:58 2 n[1-2]
Frozen on another node alone says nothing of the one that failed.
at 475s suspend 1
> at 475s freeze job 1 on n1
> at 475s freeze job 1 on n2
at 486s submit -N1 -p high -c2 --mem 100 --runs 10s -w n1
> at 485s thaw job 1 on n1
> job 5
at 490s show jobs
>  1 low    R   6:13 2 n[1-2]
>  5 high   PD  0:00 1 (Resources)
at 491s cancel 5
> at 491s job 5 CANCELLED
The node that failed registers anew: that ends the pause.
at 600s submit -N1 -p high -c2 --mem 100 --runs 10s -w n1
> job 6
> at 600s freeze job 1 on n1
> at 600s freeze job 1 on n2
at 615s repair n2
> at 610s thaw job 1 on n1
at 616s cut n2
at 617s mend n2
> at 617s freeze job 1 on n1
> at 617s freeze job 1 on n2
at 618s show jobs
> at 617.001s launch job 6 on n1
>  1 low    S   8:10 2 n[1-2]
>  6 high   R   0:00 1 n1
