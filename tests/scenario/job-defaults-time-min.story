--time-min, of a job that says nothing else of its time and waits for several partitions: its limit is what is left until job 2 begins, and that is not delayed.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-2] CPUs=4 RealMemory=1000
PartitionName=a Nodes=n[1-2] Default=YES DefaultTime=120 MaxTime=1000
PartitionName=b Nodes=n[1-2] DefaultTime=120 MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N1 -w n1 --exclusive -t 60m --runs 60m
> job 1
> at 1s launch job 1 on n1
at 2s submit -N2 --exclusive -t 60m --runs 10m
> job 2
at 3s submit -N1 -p a,b --exclusive --time-min 20m --runs 110m
> job 3
> at 3s launch job 3 on n2
at 40s show plan
> 2 at 3601s on n[1-2] until 7201s
at 10000s show jobs
> at 3543s job 3 TIMEOUT
> at 3543s terminate job 3 on n2
> at 3601s job 1 COMPLETED
> at 3601s terminate job 1 on n1
> at 3601.001s launch job 2 on n1
> at 4201.001s job 2 COMPLETED
> at 4201.001s terminate job 2 on n1
The same of an array's tasks.
at 20000s submit -N1 -w n1 --exclusive -t 60m --runs 60m
> job 4
> at 20000s launch job 4 on n1
at 20001s submit -N2 --exclusive -t 60m --runs 10m
> job 5
at 20002s submit -N1 -p b,a --exclusive --time-min 20m --array 1-2 --runs 110m
> job 6
> at 20002s launch job 7 on n2
at 20040s show plan
> 5 at 23600s on n[1-2] until 27200s
> 6 at 27200s on n1 until 34400s in b
