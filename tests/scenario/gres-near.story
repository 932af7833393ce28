Cores of gres.conf: which units lie near which cores. What lies together is given together where there is a choice; with enforce-binding a
job gets no other cores.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu,nic
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:4,nic:2
NodeName=n2 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:2
PartitionName=one Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=all Nodes=ALL MaxTime=INFINITE
gres.conf NodeName=n1 Name=gpu File=/dev/nvidia[0-1] Cores=0-3
gres.conf NodeName=n1 Name=gpu File=/dev/nvidia[2-3] CPUs=4-7
gres.conf NodeName=n2 Name=gpu File=/dev/nvidia0 Cores=4-7
gres.conf NodeName=n2 Name=gpu File=/dev/nvidia1 Cores=0-3
gres.conf Name=nic Count=2
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
Cores are dealt to the sockets in turn, but for those that are near its GPUs.
at 0s submit -n2 -t 100s --runs 10s
> job 1
> at 0s launch job 1 on n1
at 0s show cores 1
> job 1: 2 CPUs: n1 0,4
at 0s submit --gres gpu:2 -n2 -t 100s --runs 10s
> job 2
> at 0s launch job 2 on n1
at 0s show cores 2
> job 2: 2 CPUs: n1 1-2
at 0s submit --gres gpu:1,nic:1 -n2 -t 100s --runs 10s
> job 3
> at 0s launch job 3 on n1
at 0s show cores 3
> job 3: 2 CPUs: n1 5-6
at 0s show gres
> n1 gpu:3(IDX:0-2),nic:1(IDX:0)
>  job 2 has gpu:2(IDX:0-1) of n1
>  job 3 has gpu:1(IDX:2),nic:1(IDX:0) of n1
What does not lie together is given, too: two GPUs are near 4-7, and six cores are none of a socket's.
at 20s submit --gres gpu:1 -n6 -t 100s --runs 10s
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> at 10s job 2 COMPLETED
> at 10s terminate job 2 on n1
> at 10s job 3 COMPLETED
> at 10s terminate job 3 on n1
> job 4
> at 20s launch job 4 on n1
at 20s show cores 4
> job 4: 6 CPUs: n1 0-5
at 20s submit --gres gpu:3 -n2 -t 100s --runs 10s
> job 5
> at 20s launch job 5 on n1
at 20s show cores 5
> job 5: 2 CPUs: n1 6-7
at 20s show gres
> n1 gpu:4(IDX:0-3),nic:0
>  job 4 has gpu:1(IDX:0) of n1
>  job 5 has gpu:3(IDX:1-3) of n1
at 40s submit --gres gpu:1 -n4 --disable-binding -t 100s --runs 10s
> at 30s job 4 COMPLETED
> at 30s terminate job 4 on n1
> at 30s job 5 COMPLETED
> at 30s terminate job 5 on n1
> job 6
> at 40s launch job 6 on n1
at 40s show cores 6
> job 6: 4 CPUs: n1 0-1,4-5
The units that are left have no free core near them: no job waits for such by itself.
at 60s submit -n3 -t 100s --runs 50s --sockets-block
> at 50s job 6 COMPLETED
> at 50s terminate job 6 on n1
> job 7
> at 60s launch job 7 on n1
at 60s submit -n1 -t 100s --runs 40s
> job 8
> at 60s launch job 8 on n1
at 60s show cores 7
> job 7: 3 CPUs: n1 0-2
at 60s show cores 8
> job 8: 1 CPUs: n1 3
at 60s submit --gres gpu:2 -n2 -t 100s --runs 10s
> job 9
> at 60s launch job 9 on n1
at 60s submit --gres gpu:1 -n1 -t 100s --runs 10s
> job 10
> at 60s launch job 10 on n1
at 60s show cores 9
> job 9: 2 CPUs: n1 4-5
at 60s show cores 10
> job 10: 1 CPUs: n1 6
at 60s show gres
> n1 gpu:3(IDX:0,2-3),nic:0
>  job 9 has gpu:2(IDX:2-3) of n1
>  job 10 has gpu:1(IDX:0) of n1
Enforced: what no node of the partition can ever give is refused, and the others wait for such cores.
at 100s show jobs
> at 70s job 9 COMPLETED
> at 70s terminate job 9 on n1
> at 70s job 10 COMPLETED
> at 70s terminate job 10 on n1
> at 100s job 8 COMPLETED
> at 100s terminate job 8 on n1
>  7 one    R   0:40 1 n1
>  8 one    CG  0:40 1 n1
at 200s submit --gres gpu:1 -n5 --enforce-binding -t 100s --runs 10s
> at 110s job 7 COMPLETED
> at 110s terminate job 7 on n1
> refused: Requested node configuration is not available
at 200s submit --gres gpu:3 -n2 --enforce-binding -t 100s --runs 10s
> job 11
> at 200s launch job 11 on n1
at 200s show cores 11
> job 11: 2 CPUs: n1 0,4
at 200s show gres
> n1 gpu:3(IDX:0-2),nic:0
>  job 11 has gpu:3(IDX:0-2) of n1
at 200s submit --gres gpu:1 -n5 -p all --enforce-binding -t 100s --runs 10s
> job 12
> at 200s launch job 12 on n1
at 200s submit --gres gpu:1 -n3 --enforce-binding -t 100s --runs 10s
> job 13
at 200s submit --gres gpu:1 -n1 -c4 --enforce-binding -t 100s --runs 10s
> job 14
at 200s show cores 12
> job 12: 5 CPUs: n1 5-7; n2 4-5
at 200s show gres
> n1 gpu:4(IDX:0-3),nic:0
> n2 gpu:1(IDX:0)
>  job 11 has gpu:3(IDX:0-2) of n1
>  job 12 has gpu:1(IDX:3) of n1
>  job 12 has gpu:1(IDX:0) of n2
at 220s show jobs
> at 210s job 11 COMPLETED
> at 210s terminate job 11 on n1
> at 210s job 12 COMPLETED
> at 210s terminate job 12 on n1
> at 210.001s launch job 13 on n1
> at 210.001s launch job 14 on n1
> 13 one    R   0:09 1 n1
> 14 one    R   0:09 1 n1
at 220s show cores 13
> job 13: 3 CPUs: n1 0-2
at 240s submit --gpus 2 -n1 -N1 -p all -w n2 --enforce-binding -t 100s --runs 10s
> at 220.001s job 13 COMPLETED
> at 220.001s terminate job 13 on n1
> at 220.001s job 14 COMPLETED
> at 220.001s terminate job 14 on n1
> refused: Requested node configuration is not available
at 240s submit --gres gpu:2 -n2 -p all -w n2 --enforce-binding -t 100s --runs 10s
> job 15
> at 240s launch job 15 on n2
at 240s show gres
> n2 gpu:2(IDX:0-1)
>  job 15 has gpu:2(IDX:0-1) of n2
at 260s submit --gpus-per-task 1 -n6 -p all --enforce-binding -t 100s --runs 10s
> at 250s job 15 COMPLETED
> at 250s terminate job 15 on n2
> job 16
> at 260s launch job 16 on n1
at 260s show gres
> n1 gpu:4(IDX:0-3),nic:0
> n2 gpu:2(IDX:0-1)
>  job 16 has gpu:4(IDX:0-3) of n1
>  job 16 has gpu:2(IDX:0-1) of n2
at 280s submit --gpus 4 -N2 -n8 -p all --enforce-binding -t 100s --runs 10s
> at 270s job 16 COMPLETED
> at 270s terminate job 16 on n1
> job 17
> at 280s launch job 17 on n1
at 280s show gres
> n1 gpu:2(IDX:0-1),nic:0
> n2 gpu:2(IDX:0-1)
>  job 17 has gpu:2(IDX:0-1) of n1
>  job 17 has gpu:2(IDX:0-1) of n2
at 280s show cores 17
> job 17: 8 CPUs: n1 0-3; n2 0-1,4-5
Units and cores of a running job stay where they are when gres.conf says something else.
at 290s submit --gres gpu:1 -n2 -p all -w n2 --enforce-binding -t 100s --runs 60s
> at 290s job 17 COMPLETED
> at 290s terminate job 17 on n1
> job 18
> at 290s launch job 18 on n2
at 290s show cores 18
> job 18: 2 CPUs: n2 4-5
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu,nic
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:4,nic:2
NodeName=n2 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 Gres=gpu:2
PartitionName=one Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=all Nodes=ALL MaxTime=INFINITE
gres.conf NodeName=n1 Name=gpu File=/dev/nvidia[0-3] Cores=0-3
gres.conf NodeName=n2 Name=gpu File=/dev/nvidia[0-1] Cores=0,2,6-7
gres.conf Name=nic Count=2 Cores=2-5
end
at 295s submit --gres gpu:1 -n3 -p all -w n2 --enforce-binding -t 100s --runs 60s
> job 19
> at 295s launch job 19 on n2
at 295s show cores 19
> job 19: 3 CPUs: n2 0,2,6
at 295s show gres
> n2 gpu:2(IDX:0-1)
>  job 18 has gpu:1(IDX:0) of n2
>  job 19 has gpu:1(IDX:1) of n2
Of units of two names: cores near both.
at 296s submit --gres gpu:2,nic:1 -n2 --enforce-binding -t 100s --runs 1s
> job 20
> at 296s launch job 20 on n1
at 296s show cores 20
> job 20: 2 CPUs: n1 2-3
at 296s submit --gres gpu:1,nic:1 -n3 --enforce-binding -t 100s --runs 1s
> refused: Requested node configuration is not available
Whole nodes have all of both.
at 300s submit --gres gpu:1 -n5 --exclusive --enforce-binding -t 100s --runs 10s
> at 297s job 20 COMPLETED
> at 297s terminate job 20 on n1
> job 21
> at 300s launch job 21 on n1
at 300s show gres
> n1 gpu:4(IDX:0-3),nic:2(IDX:0-1)
> n2 gpu:2(IDX:0-1)
>  job 18 has gpu:1(IDX:0) of n2
>  job 19 has gpu:1(IDX:1) of n2
>  job 21 has gpu:4(IDX:0-3),nic:2(IDX:0-1) of n1
