--ntasks-per-gpu: with a number of tasks that is no multiple of it no job is charged for more tasks than there are.
conf
NodeName=n[1-2] CPUs=8 RealMemory=8000 Gres=gpu:2
GresTypes=gpu
PartitionName=p Nodes=ALL Default=YES DefMemPerCPU=100
MinJobAge=1000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -n3 --gpus-per-task 1 --ntasks-per-gpu 2 -w n1 --runs 100s
> job 1
> at 1s launch job 1 on n1
at 2s submit -n5 -w n1 --runs 100s
> job 2
> at 2s launch job 2 on n1
at 3s show jobs
>  1 p      R   0:02 1 n1
>  2 p      R   0:01 1 n1
