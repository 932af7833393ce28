--reboot takes no node on which a job would stay suspended: only victims that leave the node count.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
RebootProgram=/sbin/reboot
ResumeTimeout=60
PreemptMode=SUSPEND,GANG
PreemptType=preempt/partition_prio
NodeName=n[1-3] CPUs=2
PartitionName=low Nodes=n1 OverSubscribe=FORCE:1 Default=YES
PartitionName=lower Nodes=n3 OverSubscribe=FORCE:1 PreemptMode=REQUEUE
PartitionName=high Nodes=ALL PriorityTier=5
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
A job that would be suspended stays, and the reboot waits.
at 1s submit -n2 -w n1 --runs 20s
> job 1
> at 1s launch job 1 on n1
at 2s submit -n2 -p high -w n1 --reboot --runs 10s
> job 2
at 3s show jobs
>  1 low    R   0:02 1 n1
>  2 high   PD  0:00 1 (Resources)
Without --reboot it is suspended.
at 3s cancel 2
> at 3s job 2 CANCELLED
at 4s submit -n2 -p high -w n1 --exclusive --runs 5s
> job 3
> at 4s freeze job 1 on n1
at 10s show jobs
> at 4.001s launch job 3 on n1
> at 9.001s job 3 COMPLETED
> at 9.001s terminate job 3 on n1
> at 9.002s thaw job 1 on n1
>  1 low    R   0:03 1 n1
A job that is suspended by hand stays, too.
at 40s submit -n2 -p high -w n2 --runs 30s
> at 26.002s job 1 COMPLETED
> at 26.002s terminate job 1 on n1
> job 4
> at 40s launch job 4 on n2
at 41s suspend 4
> at 41s freeze job 4 on n2
at 42s submit -n1 -p high -w n2 --reboot --runs 10s
> job 5
at 43s show jobs
>  4 high   S   0:01 1 n2
>  5 high   PD  0:00 1 (Resources)
at 44s resume 4
> at 44s thaw job 4 on n2
at 110s show jobs
> at 73s job 4 COMPLETED
> at 73s terminate job 4 on n2
> at 73.001s reboot n2
> at 93.001s launch job 5 on n2
> at 103.001s job 5 COMPLETED
> at 103.001s terminate job 5 on n2
A job that is requeued goes, also one that was suspended.
at 200s submit -n1 -p lower -w n3 --runs 100s
> job 6
> at 200s launch job 6 on n3
at 201s submit -n1 -p lower -w n3 --runs 100s
> job 7
> at 201s launch job 7 on n3
at 202s suspend 7
> at 202s freeze job 7 on n3
at 203s submit -n1 -p high -w n3 --reboot --runs 10s
> job 8
> at 203s job 6 is requeued
> at 203s terminate job 6 on n3
> at 203s job 7 is requeued
> at 203s terminate job 7 on n3
at 250s show jobs
> at 203.001s reboot n3
> at 223.001s launch job 8 on n3
> at 233.001s job 8 COMPLETED
> at 233.001s terminate job 8 on n3
> at 233.002s launch job 6 on n3
> at 233.002s launch job 7 on n3
>  6 lower  R   0:16 1 n3
>  7 lower  R   0:16 1 n3
