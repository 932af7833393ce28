A resource that leaves resources.yaml: what waits for it is told so, keeps no nodes and starts when the resource is back.
conf
SelectType=select/linear
Licenses=lic:2
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=n[1-2] Default=YES
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-2]"], count: 2}
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit --hold -N2 -L flat:2 -t 1h --runs 10s
> job 1
at 1s submit --hold -N2 -L lic -t 1h --runs 10s
> job 2
conf
SelectType=select/linear
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=n[1-2] Default=YES
end
at 2s release 1
at 2s release 2
at 3s show jobs
>  1 p      PD  0:00 2 (Licenses, UnknownLicenses:flat)
>  2 p      PD  0:00 2 (Licenses, UnknownLicenses:lic)
at 3s show plan
> 1 is not planned
> 2 is not planned
at 3s submit -N2 -t 2h --runs 10s
> job 3
> at 3s launch job 3 on n1
at 4s show jobs
>  1 p      PD  0:00 2 (Licenses, UnknownLicenses:flat)
>  2 p      PD  0:00 2 (Licenses, UnknownLicenses:lic)
>  3 p      R   0:01 2 n[1-2]
at 5s kill
at 25s show jobs
> at 13s job 3 COMPLETED
> at 13s terminate job 3 on n1
>  1 p      PD  0:00 2 (Licenses, UnknownLicenses:flat)
>  2 p      PD  0:00 2 (Licenses, UnknownLicenses:lic)
conf
SelectType=select/linear
Licenses=lic:2
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=n[1-2] Default=YES
resources.yaml - resource: flat
resources.yaml   mode: MODE_2
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-2]"], count: 2}
end
> at 25s launch job 1 on n1
at 60s show jobs
> at 35s job 1 COMPLETED
> at 35s terminate job 1 on n1
> at 35.001s launch job 2 on n1
> at 45.001s job 2 COMPLETED
> at 45.001s terminate job 2 on n1
