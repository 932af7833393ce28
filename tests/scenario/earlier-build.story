A slumberd of an earlier build does not know --container: it would run the job on the host; nor --x11.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-3] CPUs=2
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 1s fault earlier-build n1
at 1s fault earlier-build n2
at 1s restart n[1-2]
at 10s submit -n1 --container /bundle --runs 100s
> job 1
> at 10s launch job 1 on n3
at 11s submit -w n1 -n1 --container /bundle --runs 100s
> job 2
at 12s submit -n4 --container /bundle --runs 10s
> job 3
What asks for no container goes there as ever.
at 13s submit -n3 --runs 10s
> job 4
> at 13s launch job 4 on n1
at 14s show jobs
>  1 p      R   0:04 1 n3
>  2 p      PD  0:00 1 (Resources)
>  3 p      PD  0:00 1 (Resources)
>  4 p      R   0:01 2 n[1-2]
It waits until that slumberd is replaced.
at 20s repair n1
at 20s restart n1
at 30s show jobs
> at 23s job 4 COMPLETED
> at 23s terminate job 4 on n1
> at 23.001s launch job 2 on n1
>  1 p      R   0:20 1 n3
>  2 p      R   0:06 1 n1
>  3 p      PD  0:00 1 (Resources)
at 200s show jobs
> at 110s job 1 COMPLETED
> at 110s terminate job 1 on n3
> at 123.001s job 2 COMPLETED
> at 123.001s terminate job 2 on n1
> at 123.002s launch job 3 on n1
> at 133.002s job 3 COMPLETED
> at 133.002s terminate job 3 on n1
Nor does it know --x11: the tasks would have the DISPLAY of another host.
at 201s fault earlier-build n1
at 201s restart n1
at 210s submit -w n1 -n1 --x11 1 --runs 10s
> job 5
at 211s show jobs
>  5 p      PD  0:00 1 (Resources)
at 220s repair n1
at 220s restart n1
at 250s show jobs
> at 221s launch job 5 on n1
> at 231s job 5 COMPLETED
> at 231s terminate job 5 on n1
