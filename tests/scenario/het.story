conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
end
A component never starts alone.
at 0s submit -N1 --runs 20s : -N1 -w n2
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> job 1, with components up to 2
at 1s submit -N4 --exclusive --runs 5s
> job 3
at 10s show jobs
>  1 p      PD  0:00 1 (Resources)
>  2 p      PD  0:00 1 (Priority)
>  3 p      PD  0:00 4 (Priority)
