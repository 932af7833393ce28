Neighbours with so many nodes of each feature among them: --contiguous with counts.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n[1-3] CPUs=4 Feature=a
NodeName=n[4-5] CPUs=4 Feature=b
NodeName=n6 CPUs=4 Feature=a,b
NodeName=n7 CPUs=4
NodeName=n8 CPUs=4 Feature=a
NodeName=n9 CPUs=4 Feature=b
PartitionName=p Nodes=ALL Default=YES
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
> at 0s n6 registers
> at 0s n7 registers
> at 0s n8 registers
> at 0s n9 registers
Two of a and one of b, without a gap: n2 to n4, not n1, n2 and n4.
at 1s submit -C [a*2&b*1] --contiguous -N3 -n3 --exclusive -t 50s --runs 20s
> job 1
> at 1s launch job 1 on n2
What is not free is waited for, as ever; n3 to n5 have one of a and two of b.
at 1s submit -C [a*1&b*2] --contiguous -N3 -n3 --exclusive -t 50s --runs 20s
> job 2
The smallest gap that is large enough: n8 and n9.
at 2s submit -C [a*1&b*1] --contiguous -N2 -n2 --exclusive -t 50s --runs 50s
> job 3
> at 2s launch job 3 on n8
at 3s show jobs
>  1 p      R   0:02 3 n[2-4]
>  2 p      PD  0:00 3 (Resources)
>  3 p      R   0:01 2 n[8-9]
Four of a are nowhere among five neighbours, but among six; what can never be is refused.
at 100s submit -C [a*4&b*1] --contiguous -N5 -n5 --exclusive -t 50s --runs 20s
> at 21s job 1 COMPLETED
> at 21s terminate job 1 on n2
> at 21s launch job 2 on n3
> at 41s job 2 COMPLETED
> at 41s terminate job 2 on n3
> at 52s job 3 COMPLETED
> at 52s terminate job 3 on n8
> refused: Requested node configuration is not available
at 130s submit -C [a*4&b*2] --contiguous -N6-7 -n6 --exclusive -t 50s --runs 20s
> job 4
> at 130s launch job 4 on n1
at 160s submit -C [a*2&b*2] --contiguous -N4 -n4 -w n7 --exclusive -t 50s --runs 20s
> at 150s job 4 COMPLETED
> at 150s terminate job 4 on n1
> refused: Requested node configuration is not available
at 161s submit -C [a*5&b*1] --contiguous --exclusive -t 50s --runs 20s
> job 5
> at 161s launch job 5 on n1
at 162s show jobs
>  5 p      R   0:01 8 n[1-8]
