A job that need not be on several nodes is put on one, if one of those that are liked best is enough; those are not passed over for that.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=3000
GresTypes=gpu
NodeName=n[1-3] CPUs=8 Gres=gpu:2
NodeName=n[4-5] CPUs=8 Weight=5
NodeName=n[6-7] CPUs=16 Weight=7
NodeName=n8 CPUs=32 State=CLOUD Weight=3
PartitionName=p Nodes=n[1-5] Default=YES
PartitionName=q Nodes=n[6-7]
PartitionName=all Nodes=ALL
PartitionName=least Nodes=n[1-3] LLN=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
at 1s submit -w n1 -n5
> job 1
> at 1s launch job 1 on n1
at 2s submit -w n2 -n3
> job 2
> at 2s launch job 2 on n2
What is left of n1 is passed over for all of it on n2, or on n3.
at 3s submit -n5
> job 3
> at 3s launch job 3 on n2
at 3s show cores 3
> job 3: 5 CPUs: n2 3-7
at 4s submit -n6
> job 4
> at 4s launch job 4 on n3
at 4s show cores 4
> job 4: 6 CPUs: n3 0-5
No node of the lightest is enough: several of them are, and heavier ones for the rest.
at 5s submit -n4
> job 5
> at 5s launch job 5 on n1
at 5s show cores 5
> job 5: 4 CPUs: n1 5-7; n3 6
at 5s cancel 5
> at 5s job 5 CANCELLED
> at 5s terminate job 5 on n1
at 6s submit -n9
> job 6
> at 6s launch job 6 on n1
at 6s show cores 6
> job 6: 9 CPUs: n1 5-7; n3 6-7; n4 0-3
at 6s cancel 6
> at 6s job 6 CANCELLED
> at 6s terminate job 6 on n1
at 6s cancel 4
> at 6s job 4 CANCELLED
> at 6s terminate job 4 on n3
A job that asks for several nodes, or for one by its name, gets what is free in their order.
at 7s submit -N2 -n6
> job 7
> at 7s launch job 7 on n1
at 7s show cores 7
> job 7: 6 CPUs: n1 5-7; n3 0-2
at 7s cancel 7
> at 7s job 7 CANCELLED
> at 7s terminate job 7 on n1
at 8s submit -w n1 -n6
> job 8
> at 8s launch job 8 on n1
at 8s show cores 8
> job 8: 6 CPUs: n1 5-7; n3 0-2
at 8s cancel 8
> at 8s job 8 CANCELLED
> at 8s terminate job 8 on n1
As many of --gpus as are asked for are there, too.
at 9s submit -w n3 -n1 --gres gpu:1
> job 9
> at 9s launch job 9 on n3
at 9s cancel 3
> at 9s job 3 CANCELLED
> at 9s terminate job 3 on n2
at 10s submit -n4 --gpus 2
> job 10
> at 10s launch job 10 on n2
at 10s show cores 10
> job 10: 4 CPUs: n2 3-6
at 10s cancel 10
> at 10s job 10 CANCELLED
> at 10s terminate job 10 on n2
The least loaded that is enough; neighbours, if they have to be.
at 11s submit -p least -n4
> job 11
> at 11s launch job 11 on n3
at 11s show cores 11
> job 11: 4 CPUs: n3 1-4
at 11s cancel 11
> at 11s job 11 CANCELLED
> at 11s terminate job 11 on n3
at 12s submit --contiguous -n7
> job 12
> at 12s launch job 12 on n3
at 12s show cores 12
> job 12: 7 CPUs: n3 1-7
at 12s cancel 12
> at 12s job 12 CANCELLED
> at 12s terminate job 12 on n3
at 13s submit --contiguous -p all -n9
> job 13
> at 13s launch job 13 on n2
at 13s show cores 13
> job 13: 9 CPUs: n2 3-7; n3 1-4
at 13s cancel 13
> at 13s job 13 CANCELLED
> at 13s terminate job 13 on n2
One that is up comes before one that is off, though that alone would do.
at 14s submit -p q -w n6 -n10
> job 14
> at 14s launch job 14 on n6
at 15s submit -p q -w n7 -n10
> job 15
> at 15s launch job 15 on n7
at 16s submit -p all -x n[1-5] -n11
> job 16
> at 16s launch job 16 on n6
at 16s show cores 16
> job 16: 11 CPUs: n6 10-15; n7 10-14
