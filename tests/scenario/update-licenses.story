scontrol update Licenses= of a running job: operators change what it holds, whatever is free, as in Slurm; layers follow its nodes.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
Licenses=lic:4,other:2
NodeName=n[1-5] CPUs=4
PartitionName=p Nodes=n[1-5] Default=YES MaxTime=INFINITE
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-2]"], count: 4}
resources.yaml     - {nodes: ["n[3-4]"], count: 4}
resources.yaml - resource: power
resources.yaml   mode: MODE_3
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-4]"], count: 40}
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> at 0s n5 registers
at 1s submit -w n[1-2] -N2 -L lic:3 --runs 1000s
> job 1
> at 1s launch job 1 on n1
at 1s submit -w n3 -L other:2,flat:3 --runs 1000s
> job 2
> at 1s launch job 2 on n3
at 2s submit -L lic:2 -w n4 --runs 10s
> job 3
at 2s submit -w n5 --runs 1000s
> job 4
> at 2s launch job 4 on n5
at 3s show jobs
>  1 p      R   0:02 2 n[1-2]
>  2 p      R   0:02 1 n3
>  3 p      PD  0:00 1 (Licenses)
>  4 p      R   0:01 1 n5
Its owner may not; more than there is, or what its nodes have not, is refused.
at 4s update owner JobId=1 Licenses=lic:1
> refused: Access/permission denied
at 4s update JobId=1 Licenses=nic
> refused: Invalid license specification (there is no license nic)
at 4s update JobId=1 Licenses=lic:5
> refused: Invalid license specification (5 of license lic requested, 4 exist)
at 4s update JobId=4 Licenses=flat
> refused: Invalid license specification (no node of JobId=4 has flat)
at 4s update JobId=2 Licenses=lic:2,other:2,flat:3
at 4s show licenses
> flat(n[1-2]) 0 of 4
> flat(n[3-4]) 3 of 4
> lic 5 of 4
> other 2 of 2
> power(n[1-4]) 0 of 40
>  job 1 has lic:3
>  job 2 has lic:2,other:2,flat(n[3-4]):3
at 5s update JobId=1 Licenses=lic:2,flat:4,power:10
at 6s show licenses
> flat(n[1-2]) 4 of 4
> flat(n[3-4]) 3 of 4
> lic 4 of 4
> other 2 of 2
> power(n[1-4]) 20 of 40
>  job 1 has lic:2,flat(n[1-2]):4,power(n[1-4]):20
>  job 2 has lic:2,other:2,flat(n[3-4]):3
at 7s update JobId=2 Licenses=power:30
> at 7s launch job 3 on n4
at 7s update JobId=2 Licenses=other|lic
at 7s update JobId=2 Licenses=power:20
at 8s show licenses
> flat(n[1-2]) 4 of 4
> flat(n[3-4]) 0 of 4
> lic 4 of 4
> other 0 of 2
> power(n[1-4]) 40 of 40
>  job 1 has lic:2,flat(n[1-2]):4,power(n[1-4]):20
>  job 2 has power(n[1-4]):20
>  job 3 has lic:2
None is nothing; what a crash leaves is the same.
at 9s update JobId=1 Licenses=
at 10s kill
at 11s show licenses
> flat(n[1-2]) 0 of 4
> flat(n[3-4]) 0 of 4
> lic 2 of 4
> other 0 of 2
> power(n[1-4]) 20 of 40
>  job 2 has power(n[1-4]):20
>  job 3 has lic:2
at 12s suspend 2
> at 12s freeze job 2 on n3
at 12s update JobId=2 Licenses=other
at 13s requeue 1
> at 13s job 1 is requeued
> at 13s terminate job 1 on n1
at 14s show licenses
> at 13.001s launch job 1 on n1
> flat(n[1-2]) 0 of 4
> flat(n[3-4]) 0 of 4
> lic 2 of 4
> other 1 of 2
> power(n[1-4]) 0 of 40
>  job 2 has other:1
>  job 3 has lic:2
at 14s show jobs
>  1 p      R   0:00 2 n[1-2]
>  2 p      S   0:11 1 n3
>  3 p      R   0:07 1 n4
>  4 p      R   0:12 1 n5
