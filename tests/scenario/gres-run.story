Neighbours (--contiguous) have together what the job asks for altogether (--gpus).
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[1-4] CPUs=4 Gres=gpu:2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 0s submit --gpus 3 -n2 --contiguous -t 100s --runs 10s
> job 1
> at 0s launch job 1 on n1
at 0s show gres
> n1 gpu:2(IDX:0-1)
> n2 gpu:1(IDX:0)
>  job 1 has gpu:2(IDX:0-1) of n1
>  job 1 has gpu:1(IDX:0) of n2
at 20s submit --gres gpu:1 -n1 -w n2 -t 100s --runs 50s
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> job 2
> at 20s launch job 2 on n2
One is taken of n2: it does where three are asked for, and not for four.
at 20s submit --gpus 3 -n2 --contiguous -t 100s --runs 10s
> job 3
> at 20s launch job 3 on n1
at 20s show gres
> n1 gpu:2(IDX:0-1)
> n2 gpu:2(IDX:0-1)
>  job 2 has gpu:1(IDX:0) of n2
>  job 3 has gpu:2(IDX:0-1) of n1
>  job 3 has gpu:1(IDX:1) of n2
at 40s submit --gpus 4 -n2 --contiguous -t 100s --runs 10s
> at 30s job 3 COMPLETED
> at 30s terminate job 3 on n1
> job 4
> at 40s launch job 4 on n3
at 40s show gres
> n2 gpu:1(IDX:0)
> n3 gpu:2(IDX:0-1)
> n4 gpu:2(IDX:0-1)
>  job 2 has gpu:1(IDX:0) of n2
>  job 4 has gpu:2(IDX:0-1) of n3
>  job 4 has gpu:2(IDX:0-1) of n4
at 60s submit --gpus 7 -n2 --contiguous -t 100s --runs 10s
> at 50s job 4 COMPLETED
> at 50s terminate job 4 on n3
> job 5
> at 60s launch job 5 on n1
at 60s submit --gpus 9 -n2 --contiguous -t 100s --runs 10s
> refused: Requested node configuration is not available
at 75s show gres
> at 70s job 2 COMPLETED
> at 70s terminate job 2 on n2
> at 70s job 5 COMPLETED
> at 70s terminate job 5 on n1
at 100s show jobs
