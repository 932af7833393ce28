scontrol update of a job that waits: CPUs and memory that it asked for with each GPU follow the GPUs.
conf
NodeName=n[1-2] CPUs=8 RealMemory=8000 Gres=gpu:4
GresTypes=gpu
PartitionName=p Nodes=ALL Default=YES
MinJobAge=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N1 -n1 --gpus-per-task 3 --cpus-per-gpu 2 --mem-per-gpu 1000 --hold --runs 10s
> job 1
at 1s update owner JobId=1 TresPerTask=gpu:1
at 1s release 1
> at 1s launch job 1 on n1
at 2s show parts
>  job 1 has 2 CPUs, 1000 MB of n1
at 31s submit -N1 -n1 --gres gpu:3 --cpus-per-gpu 2 --mem-per-gpu 1000 --hold --runs 10s
> at 11s job 1 COMPLETED
> at 11s terminate job 1 on n1
> job 2
at 31s update owner JobId=2 Gres=gpu:1
at 31s release 2
> at 31s launch job 2 on n1
at 32s show parts
>  job 2 has 2 CPUs, 1000 MB of n1
