Limits on several resources at once: which nodes, with how many tasks each, are within all of them is searched for.
conf
NodeName=n[1-3] CPUs=4 RealMemory=4000 Gres=gpu:a:2
NodeName=n[4-6] CPUs=8 RealMemory=4000
NodeName=t[1-2] CPUs=4 RealMemory=4000
NodeName=t[3-4] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=2000
GresTypes=gpu
PartitionName=p Nodes=n[1-6] Default=YES
PartitionName=t Nodes=t[1-4]
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageEnforce=limits,qos
AccountingStorageTRES=gres/gpu,gres/gpu:a
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s t1 registers
> at 0s t2 registers
> at 0s t3 registers
> at 0s t4 registers
at 1s sacctmgr add account theory grptres=cpu=22,gres/gpu:a=2
at 1s sacctmgr add account maths grptres=cpu=7,mem=7000
at 1s sacctmgr add user alice account=theory
at 1s sacctmgr add user bob account=maths

Three small ones have six GPUs, and three large ones too many CPUs.
at 2s submit --user=alice -N3 -n9 --exclusive --runs 10s
> job 1
> at 2s launch job 1 on n1
at 3s show jobs
>  1 p      R   0:01 3 n[1,4-5]

With n5 for another job there are others; with all that have GPUs too there are too few.
at 20s submit --user=bob -w n5 --mem 100 --runs 100s
> at 12s job 1 COMPLETED
> at 12s terminate job 1 on n1
> job 2
> at 20s launch job 2 on n5
at 20s submit --user=alice -N3 -n9 --exclusive --runs 10s
> job 3
> at 20s launch job 3 on n1
at 21s show jobs
>  2 p      R   0:01 1 n5
>  3 p      R   0:01 3 n[1,4,6]
at 40s submit --user=bob -w n[1-3] --mem 100 --runs 10s
> at 30s job 3 COMPLETED
> at 30s terminate job 3 on n1
> job 4
> at 40s launch job 4 on n1
at 41s submit --user=alice -N3 -n9 --exclusive --runs 10s
> job 5
at 42s show jobs
>  2 p      R   0:22 1 n5
>  4 p      R   0:02 3 n[1-3]
>  5 p      PD  0:00 3 (Resources)
at 51s show jobs
> at 50s job 4 COMPLETED
> at 50s terminate job 4 on n1
> at 50s launch job 5 on n2
>  2 p      R   0:31 1 n5
>  5 p      R   0:01 3 n[2,4,6]

All memory of two nodes: that of t1 and t2 is too much, and tasks on t3 and t4 have whole cores, which are too many there.
at 200s submit --user=bob -p t -N2 -n2 -c3 --runs 10s
> at 60s job 5 COMPLETED
> at 60s terminate job 5 on n2
> at 120s job 2 COMPLETED
> at 120s terminate job 2 on n5
> job 6
> at 200s launch job 6 on t1
at 201s show jobs
>  6 t      R   0:01 2 t[1,3]
