Fair shares without fair tree: each has a number of its own, and a new configuration has its own at once.
conf
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PriorityType=priority/multifactor
PriorityDecayHalfLife=0
PriorityFlags=NO_FAIR_TREE
PriorityWeightFairshare=1000
MinJobAge=100000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s sacctmgr add account physics fairshare=3
at 1s sacctmgr add account theory parent=physics
at 1s sacctmgr add account chem
at 1s sacctmgr add user alice,bob account=theory
at 1s sacctmgr add user carol account=chem
at 2s submit --user=alice -A theory -n4 -N1 -t 10m --runs 300s
> job 1
> at 2s launch job 1 on n1
at 2s submit --user=carol -A chem -n1 -t 10m --runs 300s
> job 2
> at 2s launch job 2 on n2
Bob has used nothing, but bob's account has; half of that counts for bob.
at 700s show shares
> at 302s job 1 COMPLETED
> at 302s terminate job 1 on n1
> at 302s job 2 COMPLETED
> at 302s terminate job 2 on n2
> chem/carol 1: 300 0.5000
> root/root 1: 0 1.0000
> theory/alice 1: 1200 0.1575
> theory/bob 1: 0 0.3969
Queued, their jobs stand in that order.
at 701s submit --user=root -A root -N4 --exclusive --runs 10m
> job 3
> at 701s launch job 3 on n1
at 702s submit --user=alice -A theory -n1 --runs 10s
> job 4
at 702s submit --user=bob -A theory -n1 --runs 10s
> job 5
at 702s submit --user=carol -A chem -n1 --runs 10s
> job 6
at 703s show priorities
>  6 500: 0.0000 0.1562 1.0000 0.0625 0.2500 0.2500
>  5 396: 0.0000 0.1562 1.0000 0.0625 0.2500 0.2500
>  4 157: 0.0000 0.1562 1.0000 0.0625 0.2500 0.2500
Depth-oblivious: theory has used nearly what it may, so what counts is what its users have used themselves.
conf
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PriorityType=priority/multifactor
PriorityDecayHalfLife=0
PriorityFlags=DEPTH_OBLIVIOUS
PriorityWeightFairshare=1000
MinJobAge=100000
end
at 704s show shares
> chem/carol 1: 300 0.5073
> root/root 1: 32 0.9302
> theory/alice 1: 1200 0.1637
> theory/bob 1: 0 1.0000
FairShareDampeningFactor brings them nearer to each other; not by fair tree.
conf
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PriorityType=priority/multifactor
PriorityDecayHalfLife=0
PriorityFlags=NO_FAIR_TREE
FairShareDampeningFactor=3
PriorityWeightFairshare=1000
MinJobAge=100000
end
at 705s show shares
> chem/carol 1: 300 0.7994
> root/root 1: 48 0.9648
> theory/alice 1: 1200 0.5504
> theory/bob 1: 0 0.7419
conf
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PriorityType=priority/multifactor
PriorityDecayHalfLife=0
FairShareDampeningFactor=3
PriorityUsageResetPeriod=DAILY
PriorityWeightFairshare=1000
MinJobAge=100000
end
at 706s show shares
> chem/carol 1: 300 0.7500
> root/root 1: 64 1.0000
> theory/alice 1: 1200 0.2500
> theory/bob 1: 0 0.5000
A new day: all that has been used is forgotten.
at 90000s show shares
> at 1301s job 3 COMPLETED
> at 1301s terminate job 3 on n1
> at 1301s launch job 6 on n2
> at 1301s launch job 5 on n2
> at 1301s launch job 4 on n2
> at 1311s job 6 COMPLETED
> at 1311s terminate job 6 on n2
> at 1311s job 5 COMPLETED
> at 1311s terminate job 5 on n2
> at 1311s job 4 COMPLETED
> at 1311s terminate job 4 on n2
> chem/carol 1: 0 1.0000
> root/root 1: 0 1.0000
> theory/alice 1: 0 1.0000
> theory/bob 1: 0 1.0000
