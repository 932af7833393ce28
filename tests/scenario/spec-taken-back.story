A job whose --core-spec or --reboot is taken back does not have its nodes alone any more.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AllowSpecResourcesUsage=YES
RebootProgram=/sbin/reboot
NodeName=n1 CPUs=8
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n1 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -n1 --core-spec 2 --runs 100s
> job 2
at 3s update JobId=2 CoreSpec=-1
> at 3s launch job 2 on n1
at 4s submit -n1 --reboot --runs 100s
> job 3
at 5s update JobId=3 Reboot=no
> at 5s launch job 3 on n1
at 6s submit -n1 --exclusive --core-spec 2 --runs 10s
> job 4
at 7s update JobId=4 CoreSpec=-1
at 8s show jobs
>  1 main   R   0:07 1 n1
>  2 main   R   0:05 1 n1
>  3 main   R   0:03 1 n1
>  4 main   PD  0:00 1 (Resources)
at 110s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 103s job 2 COMPLETED
> at 103s terminate job 2 on n1
> at 105s job 3 COMPLETED
> at 105s terminate job 3 on n1
> at 105.001s launch job 4 on n1
>  4 main   R   0:04 1 n1
