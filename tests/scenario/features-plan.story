A job that asks for a feature which only busy nodes could be rebooted into has a place in the plan: where one falls idle first.
conf
SelectType=select/linear
RebootProgram=/sbin/reboot
ResumeTimeout=60
NodeName=n[1-2] CPUs=2 Feature=f1,f2
NodeName=m1 CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s m1 registers
at 0s helpers "NodeName=n[1-2] Feature=f1,f2 Helper=/bin/true" "MutuallyExclusive=f1,f2" "AllowUserBoot=user"
at 1s submit -w n1 -N1 -t 200s --runs 200s
> job 1
> at 1s launch job 1 on n1
at 1s submit -w n2 -N1 -t 100s --runs 100s
> job 2
> at 1s launch job 2 on n2
at 1s submit -w m1 -N1 -t 300s --runs 300s
> job 3
> at 1s launch job 3 on m1
at 2s submit -C f1 -N1 -t 50s --runs 20s
> job 4
at 3s show plan
> 4 at 101s on n2 until 151s
at 4s submit -N1 -t 500s --runs 100s
> job 5
at 5s show plan
> 4 at 101s on n2 until 151s
> 5 at 151s on n2 until 651s
at 6s show jobs
>  1 p      R   0:05 1 n1
>  2 p      R   0:05 1 n2
>  3 p      R   0:05 1 m1
>  4 p      PD  0:00 1 (Resources)
>  5 p      PD  0:00 1 (Resources)
It starts there and has the node rebooted; the one behind it waits.
at 110s show jobs
> at 101s job 2 COMPLETED
> at 101s terminate job 2 on n2
> at 101.001s reboot n2
>  1 p      R   1:49 1 n1
>  3 p      R   1:49 1 m1
>  4 p      CF  0:00 1 n2
>  5 p      PD  0:00 1 (Resources)
at 125s show jobs
> at 121.001s launch job 4 on n2
>  1 p      R   2:04 1 n1
>  3 p      R   2:04 1 m1
>  4 p      R   0:03 1 n2
>  5 p      PD  0:00 1 (Resources)
at 300s show jobs
> at 141.001s job 4 COMPLETED
> at 141.001s terminate job 4 on n2
> at 141.002s launch job 5 on n2
> at 201s job 1 COMPLETED
> at 201s terminate job 1 on n1
> at 241.002s job 5 COMPLETED
> at 241.002s terminate job 5 on n2
>  3 p      R   4:59 1 m1
Nodes that must be neighbours are planned the same way.
at 400s submit -N2 -t 100s --runs 100s -w n[1-2]
> at 301s job 3 COMPLETED
> at 301s terminate job 3 on m1
> job 6
> at 400s launch job 6 on n1
at 401s submit -C f2 --contiguous -N2 -t 50s --runs 20s
> job 7
at 402s show plan
> 7 at 500s on n[1-2] until 550s
at 600s show jobs
> at 500s job 6 COMPLETED
> at 500s terminate job 6 on n1
> at 500.001s reboot n[1-2]
> at 520.001s launch job 7 on n1
> at 540.001s job 7 COMPLETED
> at 540.001s terminate job 7 on n1
A job of a user that may have no node rebooted is not planned there.
at 700s helpers "NodeName=n[1-2] Feature=f1,f2 Helper=/bin/true" "AllowUserBoot=root"
at 700s submit -N2 -t 100s --runs 100s -w n[1-2]
> job 8
> at 700s launch job 8 on n1
at 701s submit -C f1 -N1 -t 50s --runs 20s
> job 9
at 702s show plan
> 9 is not planned
at 702s show jobs
>  8 p      R   0:02 2 n[1-2]
>  9 p      PD  0:00 1 (Resources)
