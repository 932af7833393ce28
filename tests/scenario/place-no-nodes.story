A job that may have no node at all, or fewer than it needs at least, is told so: no nodes are looked at for it.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[1-3] CPUs=8 RealMemory=1000 Gres=gpu:a:4,gpu:b:2,gpu:c:1
PartitionName=all Nodes=ALL Default=YES
PartitionName=none Nodes=ALL MaxNodes=0
end
A partition that takes no jobs for now.
at 1s submit -p none --runs 50s
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> job 1
at 1s submit -p none -n4 --runs 50s
> job 2
at 2s show jobs
>  1 none   PD  0:00 1 (PartitionNodeLimit)
>  2 none   PD  0:00 1 (PartitionNodeLimit)
at 2s update owner JobId=1 Partition=all
> at 2s launch job 1 on n1
at 3s show jobs
>  1 all    R   0:01 1 n1
>  2 none   PD  0:00 1 (PartitionNodeLimit)
Of all nodes together fewer than each is to have: so from the beginning, and when a job that waits is changed.
at 10s submit --gpus a:2 --gres gpu:a:4 --runs 50s
> refused: Invalid generic resource (gres) specification (2 gres/gpu:a on all nodes together cannot be 4 on each of 1 or more)
at 10s submit -N3 --gpus a:4 --gres gpu:a:2 --runs 50s
> refused: Invalid generic resource (gres) specification (4 gres/gpu:a on all nodes together cannot be 2 on each of 3 or more)
at 10s submit --gpus a:2 --hold --runs 50s
> job 3
at 11s update owner JobId=3 Gres=gpu:a:4
> refused: Invalid generic resource (gres) specification (2 gres/gpu:a on all nodes together cannot be 4 on each of 1 or more)
at 11s update owner JobId=3 Gres=gpu:a:1
at 12s release 3
> at 12s launch job 3 on n1
at 13s show gres
> n1 gpu:a:1(IDX:0),gpu:b:0,gpu:c:0
> n2 gpu:a:1(IDX:0),gpu:b:0,gpu:c:0
>  job 3 has gpu:a:1(IDX:0) of n1
>  job 3 has gpu:a:1(IDX:0) of n2
More than there are numbers for.
at 100s submit --gpus a:9223372036854775807,b:9223372036854775807,c:3 --runs 50s
> at 52s job 1 COMPLETED
> at 52s terminate job 1 on n1
> at 62s job 3 COMPLETED
> at 62s terminate job 3 on n1
> refused: Requested node configuration is not available
What only the commands see to otherwise.
at 200s submit --gpus a:6,b:2 --gpus-per-task a:4 -n1 --runs 50s
> refused: Invalid generic resource (gres) specification (gres/gpu:a is asked for on all nodes together and for each task)
at 200s submit -N2 --ntasks-per-gpu 3 --runs 50s
> refused: Invalid generic resource (gres) specification (--ntasks-per-gpu without GPUs of tasks)
at 200s submit -N2 --gres gpu:a:1 --ntasks-per-gpu 3 --runs 50s
> refused: Invalid generic resource (gres) specification (--ntasks-per-gpu without GPUs of tasks)
