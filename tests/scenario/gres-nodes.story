Tasks on several nodes with generic resources that lie near some cores. No node has more tasks than have cores near the units that it
gives, if all get a place so: Slurm 22.05 deals them out in the same way, and fills node after node only where they do not.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[1-3] CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:4
PartitionName=two Nodes=n[1-2] Default=YES MaxTime=INFINITE
PartitionName=three Nodes=n[1-3] MaxTime=INFINITE
gres.conf Name=gpu File=/dev/nvidia[0-1] Cores=0-3
gres.conf Name=gpu File=/dev/nvidia[2-3] Cores=4-7
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s submit --gres gpu:2 -n8 -N2 -t 100s --runs 10s
> job 1
> at 0s launch job 1 on n1
at 0s show cores 1
> job 1: 8 CPUs: n1 0-3; n2 0-3
at 0s show gres
> n1 gpu:2(IDX:0-1)
> n2 gpu:2(IDX:0-1)
>  job 1 has gpu:2(IDX:0-1) of n1
>  job 1 has gpu:2(IDX:0-1) of n2
at 20s submit --gres gpu:1 -n6 -N2 -t 100s --runs 10s
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> job 2
> at 20s launch job 2 on n1
at 20s show cores 2
> job 2: 6 CPUs: n1 0-3; n2 0-1
Three GPUs are near all cores, and nine tasks are too many for those near two: as without GPUs.
at 40s submit --gres gpu:3 -n8 -N2 -t 100s --runs 10s
> at 30s job 2 COMPLETED
> at 30s terminate job 2 on n1
> job 3
> at 40s launch job 3 on n1
at 40s show cores 3
> job 3: 8 CPUs: n1 0-6; n2 0
at 60s submit --gres gpu:2 -n9 -N2 -t 100s --runs 10s
> at 50s job 3 COMPLETED
> at 50s terminate job 3 on n1
> job 4
> at 60s launch job 4 on n1
at 60s show cores 4
> job 4: 9 CPUs: n1 0-7; n2 0
at 80s submit -n8 -N2 -t 100s --runs 10s
> at 70s job 4 COMPLETED
> at 70s terminate job 4 on n1
> job 5
> at 80s launch job 5 on n1
at 80s show cores 5
> job 5: 8 CPUs: n1 0-6; n2 0
GPUs of the whole job: each node gives one, the first ones what they have.
at 100s submit --gpus 2 -n8 -N2 -t 100s --runs 10s
> at 90s job 5 COMPLETED
> at 90s terminate job 5 on n1
> job 6
> at 100s launch job 6 on n1
at 100s show cores 6
> job 6: 8 CPUs: n1 0-3; n2 0-3
at 120s submit --gpus 4 -n8 -N2 -t 100s --runs 10s
> at 110s job 6 COMPLETED
> at 110s terminate job 6 on n1
> job 7
> at 120s launch job 7 on n1
at 120s show cores 7
> job 7: 8 CPUs: n1 0-6; n2 0
Slurm has 7 tasks and 2 GPUs of one side on n1: three of them would be far from both.
at 140s submit --gpus 3 -n8 -N2 -t 100s --runs 10s
> at 130s job 7 COMPLETED
> at 130s terminate job 7 on n1
> job 8
> at 140s launch job 8 on n1
at 140s show cores 8
> job 8: 8 CPUs: n1 0-3; n2 0-3
at 140s show gres
> n1 gpu:2(IDX:0-1)
> n2 gpu:1(IDX:0)
>  job 8 has gpu:2(IDX:0-1) of n1
>  job 8 has gpu:1(IDX:0) of n2
What is said of each task decides as before, and a job with --disable-binding is not bound.
at 160s submit --gpus-per-task 1 -n4 -N2 -t 100s --runs 10s
> at 150s job 8 COMPLETED
> at 150s terminate job 8 on n1
> job 9
> at 160s launch job 9 on n1
at 160s show cores 9
> job 9: 4 CPUs: n1 0-1,4; n2 0
at 180s submit --gres gpu:2 -n8 -N2 --disable-binding -t 100s --runs 10s
> at 170s job 9 COMPLETED
> at 170s terminate job 9 on n1
> job 10
> at 180s launch job 10 on n1
at 180s show cores 10
> job 10: 8 CPUs: n1 0-6; n2 0
at 200s submit --gres gpu:2 -n8 -N2 --enforce-binding -t 100s --runs 10s
> at 190s job 10 COMPLETED
> at 190s terminate job 10 on n1
> job 11
> at 200s launch job 11 on n1
at 200s show cores 11
> job 11: 8 CPUs: n1 0-3; n2 0-3
at 220s submit --gres gpu:2 -n4 -c2 -N2 -t 100s --runs 10s
> at 210s job 11 COMPLETED
> at 210s terminate job 11 on n1
> job 12
> at 220s launch job 12 on n1
at 220s show cores 12
> job 12: 8 CPUs: n1 0-3; n2 0-3
Some cores are taken.
at 240s submit --gres gpu:2 -n2 -N1 -w n1 -t 100s --runs 30s
> at 230s job 12 COMPLETED
> at 230s terminate job 12 on n1
> job 13
> at 240s launch job 13 on n1
at 240s submit --gres gpu:1 -n8 -N2 -t 100s --runs 10s
> job 14
> at 240s launch job 14 on n1
at 240s show cores 14
> job 14: 8 CPUs: n1 4-7; n2 0-3
at 240s show gres
> n1 gpu:3(IDX:0-2)
> n2 gpu:1(IDX:0)
>  job 13 has gpu:2(IDX:0-1) of n1
>  job 14 has gpu:1(IDX:2) of n1
>  job 14 has gpu:1(IDX:0) of n2
at 280s submit -n2 -N1 -w n1 -t 100s --runs 30s
> at 250s job 14 COMPLETED
> at 250s terminate job 14 on n1
> at 270s job 13 COMPLETED
> at 270s terminate job 13 on n1
> job 15
> at 280s launch job 15 on n1
at 280s submit --gres gpu:1 -n8 -N2 -t 100s --runs 10s
> job 16
> at 280s launch job 16 on n1
at 280s show cores 16
> job 16: 8 CPUs: n1 1-3,5-7; n2 0-1
One node does where nothing is said of nodes. Slurm takes two here, and so twice the GPUs: what is asked for on each node should not come
more often than it must.
at 320s submit --gres gpu:2 -n8 -t 100s --runs 10s
> at 290s job 16 COMPLETED
> at 290s terminate job 16 on n1
> at 310s job 15 COMPLETED
> at 310s terminate job 15 on n1
> job 17
> at 320s launch job 17 on n1
at 320s show cores 17
> job 17: 8 CPUs: n1 0-7
at 320s show gres
> n1 gpu:2(IDX:0,2)
>  job 17 has gpu:2(IDX:0,2) of n1
at 340s submit --gres gpu:2 -n8 -N1-2 -t 100s --runs 10s
> at 330s job 17 COMPLETED
> at 330s terminate job 17 on n1
> job 18
> at 340s launch job 18 on n1
at 340s show cores 18
> job 18: 8 CPUs: n1 0-3; n2 0-3
at 360s submit --gres gpu:2 -n12 -N3 -p three -t 100s --runs 10s
> at 350s job 18 COMPLETED
> at 350s terminate job 18 on n1
> job 19
> at 360s launch job 19 on n1
at 360s show cores 19
> job 19: 12 CPUs: n1 0-3; n2 0-3; n3 0-3
at 380s submit --gres gpu:2 -n10 -N2-3 -p three -t 100s --runs 10s
> at 370s job 19 COMPLETED
> at 370s terminate job 19 on n1
> job 20
> at 380s launch job 20 on n1
at 380s show cores 20
> job 20: 10 CPUs: n1 0-3; n2 0-3; n3 0-1
at 400s submit --gres gpu:2 -n12 -N3 --spread-job -p three -t 100s --runs 10s
> at 390s job 20 COMPLETED
> at 390s terminate job 20 on n1
> job 21
> at 400s launch job 21 on n1
at 400s show cores 21
> job 21: 12 CPUs: n1 0-3; n2 0-3; n3 0-3
at 420s submit --gres gpu:1 --ntasks-per-node 5 -N2 -t 100s --runs 10s
> at 410s job 21 COMPLETED
> at 410s terminate job 21 on n1
> job 22
> at 420s launch job 22 on n1
at 420s show cores 22
> job 22: 10 CPUs: n1 0-4; n2 0-4
at 440s show jobs
> at 430s job 22 COMPLETED
> at 430s terminate job 22 on n1
