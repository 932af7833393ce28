GPUs of several types for the whole job with enforce-binding: which node gives how many of which is sought where neither the first nodes nor
equal parts do.
conf
GresTypes=gpu
NodeName=n[1-6] CPUs=4 RealMemory=1000 Gres=gpu:a:2,gpu:b:2
PartitionName=all Nodes=ALL Default=YES
gres.conf NodeName=n[1-4] Name=gpu Type=a File=/dev/a[0-1] Cores=0-1
gres.conf NodeName=n[1-4] Name=gpu Type=b File=/dev/b[0-1] Cores=1-3
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
The first four nodes have three cores near their GPUs of the second type, and so CPUs for one of these each: it is not enough without the last ones.
at 1s submit -N1-4 --gpus a:2,b:5 --cpus-per-gpu 2 --enforce-binding -t 100s --runs 20s
> job 1
> at 1s launch job 1 on n1
at 2s show gres
> n1 gpu:a:1(IDX:0),gpu:b:1(IDX:2)
> n2 gpu:a:1(IDX:0),gpu:b:1(IDX:2)
> n3 gpu:a:0,gpu:b:1(IDX:2)
> n5 gpu:a:0,gpu:b:2(IDX:2-3)
>  job 1 has gpu:a:1(IDX:0),gpu:b:1(IDX:2) of n1
>  job 1 has gpu:a:1(IDX:0),gpu:b:1(IDX:2) of n2
>  job 1 has gpu:b:1(IDX:2) of n3
>  job 1 has gpu:b:2(IDX:2-3) of n5
at 2s show cores 1
> job 1: 14 CPUs: n1 0-3; n2 0-3; n3 1-2; n5 0-3
A job has one of the last ones: it waits for it, and no other has to be gone.
at 31s submit -w n6 -n4 --gpus b:1 -t 100s --runs 50s
> at 21s job 1 COMPLETED
> at 21s terminate job 1 on n1
> job 2
> at 31s launch job 2 on n6
at 32s submit -w n5 -n4 --gpus b:1 -t 100s --runs 90s
> job 3
> at 32s launch job 3 on n5
at 33s submit -N1-4 --gpus a:2,b:5 --cpus-per-gpu 2 --enforce-binding -t 50s --runs 20s
> job 4
at 34s show plan
> 4 at 131s on n[1-3,6] until 181s
at 100s show gres
> at 81s job 2 COMPLETED
> at 81s terminate job 2 on n6
> at 81.001s launch job 4 on n1
> n1 gpu:a:1(IDX:0),gpu:b:1(IDX:2)
> n2 gpu:a:1(IDX:0),gpu:b:1(IDX:2)
> n3 gpu:a:0,gpu:b:1(IDX:2)
> n5 gpu:a:0,gpu:b:1(IDX:2)
> n6 gpu:a:0,gpu:b:2(IDX:2-3)
>  job 3 has gpu:b:1(IDX:2) of n5
>  job 4 has gpu:a:1(IDX:0),gpu:b:1(IDX:2) of n1
>  job 4 has gpu:a:1(IDX:0),gpu:b:1(IDX:2) of n2
>  job 4 has gpu:b:1(IDX:2) of n3
>  job 4 has gpu:b:2(IDX:2-3) of n6
at 200s show jobs
> at 101.001s job 4 COMPLETED
> at 101.001s terminate job 4 on n1
> at 122s job 3 COMPLETED
> at 122s terminate job 3 on n5
