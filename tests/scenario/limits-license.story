Licenses with "|": one that a limit forbids is passed over for the next one that is free and allowed, in the pass and by backfill.
conf
NodeName=n[1-2] CPUs=4
Licenses=ansys:4,matlab:2,fluent:4
PartitionName=p Nodes=ALL Default=YES
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
AccountingStorageTRES=license/ansys,license/fluent
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s sacctmgr add account physics grptres=license/ansys=1,license/fluent=2
at 1s sacctmgr add user alice account=physics
at 2s submit --user=alice -n1 -L ansys -w n1 -t 10m --runs 100s
> job 1
> at 2s launch job 1 on n1
The limit of ansys is reached.
at 3s submit --user=alice -n1 -L ansys|matlab -t 10m --runs 50s
> job 2
> at 3s launch job 2 on n1
at 3s show licenses
> ansys 1 of 4
> fluent 0 of 4
> matlab 1 of 2
>  job 1 has ansys:1
>  job 2 has matlab:1
Behind one that waits for both nodes, backfill does the same; matlab is not free, fluent is.
at 4s submit --user=alice -N2 -n8 -t 10m --runs 10s
> job 3
at 5s submit --user=alice -n1 -L ansys|matlab:2|fluent:2 -t 5m --runs 10s
> job 4
> at 5s launch job 4 on n1
at 5s submit --user=alice -n1 -L ansys|matlab:2|fluent:2 -t 5m --runs 10s
> job 5
at 6s show licenses
> ansys 1 of 4
> fluent 2 of 4
> matlab 1 of 2
>  job 1 has ansys:1
>  job 2 has matlab:1
>  job 4 has fluent:2
at 6s show jobs
>  1 p      R   0:04 1 n1
>  2 p      R   0:03 1 n1
>  3 p      PD  0:00 2 (Resources)
>  4 p      R   0:01 1 n1
>  5 p      PD  0:00 1 (Priority)
at 300s show jobs
> at 15s job 4 COMPLETED
> at 15s terminate job 4 on n1
> at 15s launch job 5 on n1
> at 25s job 5 COMPLETED
> at 25s terminate job 5 on n1
> at 53s job 2 COMPLETED
> at 53s terminate job 2 on n1
> at 102s job 1 COMPLETED
> at 102s terminate job 1 on n1
> at 102.001s launch job 3 on n1
> at 112.001s job 3 COMPLETED
> at 112.001s terminate job 3 on n1
