Units of several sides with enforce-binding: a core near each of them is given, whatever the tasks need, as Slurm 22.05 does it. It
counts as any other: for memory, limits and the next job.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu,nic
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 Gres=gpu:4,nic:1
NodeName=n2 CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000 Gres=gpu:4
PartitionName=one Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=narrow Nodes=n1 MaxTime=INFINITE MaxCPUsPerNode=1
PartitionName=threads Nodes=n2 MaxTime=INFINITE
gres.conf NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-1] Cores=0-3
gres.conf NodeName=n[1-2] Name=gpu File=/dev/nvidia[2-3] Cores=4-7
gres.conf NodeName=n1 Name=nic Count=1 Cores=2-5
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s submit --gres gpu:3 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> job 1
> at 0s launch job 1 on n1
at 0s show cores 1
> job 1: 2 CPUs: n1 0,4
at 0s show gres
> n1 gpu:3(IDX:0-2),nic:0
>  job 1 has gpu:3(IDX:0-2) of n1
at 0s show jobs
>  1 one    R   0:00 1 n1
A task that has threads: whole cores.
at 0s submit --gres gpu:4 -n1 -p threads --mem 100 --enforce-binding -t 100s --runs 10s
> job 2
> at 0s launch job 2 on n2
at 0s show cores 2
> job 2: 4 CPUs: n2 0,4
What one side has comes from there.
at 20s submit --gres gpu:2 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> at 10s job 1 COMPLETED
> at 10s terminate job 1 on n1
> at 10s job 2 COMPLETED
> at 10s terminate job 2 on n2
> job 3
> at 20s launch job 3 on n1
at 20s show cores 3
> job 3: 1 CPUs: n1 0
at 40s submit --gres gpu:1 -n3 --mem 100 -t 100s --runs 50s
> at 30s job 3 COMPLETED
> at 30s terminate job 3 on n1
> job 4
> at 40s launch job 4 on n1
at 40s submit --gres gpu:1 -n3 --mem 100 -t 100s --runs 30s
> job 5
> at 40s launch job 5 on n1
One is left of each side: a core of each comes with them. A job that asks for its whole job or by tasks, of which Slurm says the same, waits for two
that lie together.
at 40s submit --gres gpu:2 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> job 6
> at 40s launch job 6 on n1
at 40s show cores 6
> job 6: 2 CPUs: n1 3,7
at 60s submit --gpus 2 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> at 50s job 6 COMPLETED
> at 50s terminate job 6 on n1
> job 7
at 60s submit --gpus-per-task 2 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> job 8
at 60s show jobs
>  4 one    R   0:20 1 n1
>  5 one    R   0:20 1 n1
>  7 one    PD  0:00 1 (Resources)
>  8 one    PD  0:00 1 (Priority)
at 75s show cores 7
> at 70s job 5 COMPLETED
> at 70s terminate job 5 on n1
> at 70.001s launch job 7 on n1
> job 7: 1 CPUs: n1 4
at 85s show cores 8
> at 80.001s job 7 COMPLETED
> at 80.001s terminate job 7 on n1
> at 80.002s launch job 8 on n1
> job 8: 1 CPUs: n1 4
at 100s submit --gpus 3 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> at 90s job 4 COMPLETED
> at 90s terminate job 4 on n1
> at 90.002s job 8 COMPLETED
> at 90.002s terminate job 8 on n1
> refused: Requested node configuration is not available
A side without a free core is waited for.
at 100s submit --sockets-block -n4 --mem 100 -t 100s --runs 20s
> job 9
> at 100s launch job 9 on n1
at 100s submit --gres gpu:3 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> job 10
at 130s show jobs
> at 120s job 9 COMPLETED
> at 120s terminate job 9 on n1
> at 120.001s launch job 10 on n1
> 10 one    R   0:09 1 n1
Its memory is that of two CPUs, and they are as many as MaxCPUsPerNode lets it have.
at 140s submit --gres gpu:3 -n1 --mem-per-cpu 1500 --enforce-binding -t 100s --runs 10s
> at 130.001s job 10 COMPLETED
> at 130.001s terminate job 10 on n1
> job 11
> at 140s launch job 11 on n1
at 140s show cores 11
> job 11: 2 CPUs: n1 0,4
at 160s submit --gres gpu:3 -n1 --mem-per-cpu 3000 --enforce-binding -t 100s --runs 10s
> at 150s job 11 COMPLETED
> at 150s terminate job 11 on n1
> refused: Requested node configuration is not available
at 160s submit --gres gpu:2 -n1 --mem-per-cpu 3000 --enforce-binding -t 100s --runs 10s
> job 12
> at 160s launch job 12 on n1
at 180s submit --gres gpu:3 -n1 -p narrow --mem 100 --enforce-binding -t 100s --runs 10s
> at 170s job 12 COMPLETED
> at 170s terminate job 12 on n1
> refused: Requested node configuration is not available
Cores that are near several things are of use for all of them.
at 180s submit --gres gpu:1,nic:1 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> job 13
> at 180s launch job 13 on n1
at 180s show cores 13
> job 13: 1 CPUs: n1 2
at 200s submit --gres gpu:3,nic:1 -n1 --mem 100 --enforce-binding -t 100s --runs 10s
> at 190s job 13 COMPLETED
> at 190s terminate job 13 on n1
> job 14
> at 200s launch job 14 on n1
at 200s show cores 14
> job 14: 2 CPUs: n1 2,4
What else is said of sockets; those that tasks are dealt to decide which cores, as in Slurm.
at 220s submit --gres gpu:3 -n1 --ntasks-per-socket 1 --mem 100 --enforce-binding -t 100s --runs 10s
> at 210s job 14 COMPLETED
> at 210s terminate job 14 on n1
> job 15
> at 220s launch job 15 on n1
at 220s show cores 15
> job 15: 1 CPUs: n1 0
at 240s submit --gres gpu:3 -n1 --sockets-block --cores-per-socket 2 --mem 100 --enforce-binding -t 100s --runs 10s
> at 230s job 15 COMPLETED
> at 230s terminate job 15 on n1
> job 16
> at 240s launch job 16 on n1
at 240s show cores 16
> job 16: 2 CPUs: n1 0,4
at 260s submit --gres gpu:3 -n8 --ntasks-per-socket 4 --mem 100 --enforce-binding -t 100s --runs 10s
> at 250s job 16 COMPLETED
> at 250s terminate job 16 on n1
> job 17
> at 260s launch job 17 on n1
at 260s show cores 17
> job 17: 8 CPUs: n1 0-7
at 280s submit --gres gpu:3 -n4 --overcommit --mem 100 --enforce-binding -t 100s --runs 10s
> at 270s job 17 COMPLETED
> at 270s terminate job 17 on n1
> job 18
> at 280s launch job 18 on n1
at 280s show cores 18
> job 18: 2 CPUs: n1 0,4
Where nothing is enforced, a task has its one core.
at 300s submit --gres gpu:3 -n1 --mem 100 -t 100s --runs 10s
> at 290s job 18 COMPLETED
> at 290s terminate job 18 on n1
> job 19
> at 300s launch job 19 on n1
at 300s show cores 19
> job 19: 1 CPUs: n1 0
at 320s show jobs
> at 310s job 19 COMPLETED
> at 310s terminate job 19 on n1
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Socket
GresTypes=gpu,nic
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 Gres=gpu:4,nic:1
NodeName=n2 CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000 Gres=gpu:4
PartitionName=one Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=threads Nodes=n2 MaxTime=INFINITE
gres.conf NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-1] Cores=0-3
gres.conf NodeName=n[1-2] Name=gpu File=/dev/nvidia[2-3] Cores=4-7
end
Whole sockets.
at 400s submit --gres gpu:3 -n1 --enforce-binding -t 100s --runs 10s
> job 20
> at 400s launch job 20 on n1
at 400s show cores 20
> job 20: 8 CPUs: n1 0-7
at 420s submit --gres gpu:2 -n1 --enforce-binding -t 100s --runs 10s
> at 410s job 20 COMPLETED
> at 410s terminate job 20 on n1
> job 21
> at 420s launch job 21 on n1
at 420s show cores 21
> job 21: 4 CPUs: n1 0-3
at 440s show jobs
> at 430s job 21 COMPLETED
> at 430s terminate job 21 on n1
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptMode=REQUEUE
PreemptType=preempt/partition_prio
GresTypes=gpu,nic
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 Gres=gpu:4,nic:1
NodeName=n2 CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000 Gres=gpu:4
PartitionName=one Nodes=n1 Default=YES MaxTime=INFINITE
PartitionName=high Nodes=n1 MaxTime=INFINITE PriorityTier=2
PartitionName=threads Nodes=n2 MaxTime=INFINITE
gres.conf NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-1] Cores=0-3
gres.conf NodeName=n[1-2] Name=gpu File=/dev/nvidia[2-3] Cores=4-7
end
A job that may stop others does it for a core of the second side, and not where one side does.
at 500s submit -n4 --sockets-block -t 100s --runs 50s
> job 22
> at 500s launch job 22 on n1
at 500s show cores 22
> job 22: 4 CPUs: n1 0-3
at 500s submit --gres gpu:2 -n1 -p high --enforce-binding -t 100s --runs 10s
> job 23
> at 500s launch job 23 on n1
at 500s show cores 23
> job 23: 1 CPUs: n1 4
at 520s submit --gres gpu:3 -n1 -p high --enforce-binding -t 100s --runs 10s
> at 510s job 23 COMPLETED
> at 510s terminate job 23 on n1
> job 24
> at 520s job 22 is requeued
> at 520s terminate job 22 on n1
at 521s show cores 24
> at 520.001s launch job 24 on n1
> at 520.001s launch job 22 on n1
> job 24: 2 CPUs: n1 0,4
at 521s show jobs
> 22 one    R   0:00 1 n1
> 24 high   R   0:00 1 n1
at 600s show jobs
> at 530.001s job 24 COMPLETED
> at 530.001s terminate job 24 on n1
> at 570.001s job 22 COMPLETED
> at 570.001s terminate job 22 on n1
