--reboot: the nodes of a job are rebooted before it starts, and it has them alone.
conf
RebootProgram=/sbin/reboot
ResumeTimeout=60
SelectTypeParameters=CR_Core
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -n1 --reboot --runs 100s
> job 1
> at 1s reboot n1
at 2s show node n1
> n1 ALLOCATED+REBOOT_ISSUED+NOT_RESPONDING+POWERING_UP (alloc^, allocated^)
at 3s show jobs
>  1 p      CF  0:00 1 n1
at 30s show jobs
> at 21s launch job 1 on n1
>  1 p      R   0:09 1 n1
A node with another job is not taken for it.
at 31s submit -n1 --runs 10s
> job 2
> at 31s launch job 2 on n2
at 32s submit -n1 --reboot --runs 10s
> job 3
at 40s show jobs
>  1 p      R   0:19 1 n1
>  2 p      R   0:09 1 n2
>  3 p      PD  0:00 1 (Resources)
at 70s show jobs
> at 41s job 2 COMPLETED
> at 41s terminate job 2 on n2
> at 41.001s reboot n2
> at 61.001s launch job 3 on n2
>  1 p      R   0:49 1 n1
>  3 p      R   0:08 1 n2
Nodes of one job that are rebooted alike are one call of RebootProgram with reboot_from_controller.
at 200s submit -N2 --reboot --runs 10s
> at 71.001s job 3 COMPLETED
> at 71.001s terminate job 3 on n2
> at 121s job 1 COMPLETED
> at 121s terminate job 1 on n1
> job 4
> at 200s reboot n[1-2]
at 240s show jobs
> at 220s launch job 4 on n1
> at 230s job 4 COMPLETED
> at 230s terminate job 4 on n1
