A license or resource that leaves the configuration: what waits for it is held and told so, keeps no nodes, and starts when it is back.
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
>  1 p      PD  0:00 2 (JobHeldAdmin, UnknownLicenses:flat)
>  2 p      PD  0:00 2 (JobHeldAdmin, UnknownLicenses:lic)
at 3s show plan
> 1 is not planned
> 2 is not planned
at 3s submit -N2 -t 2h --runs 10s
> job 3
> at 3s launch job 3 on n1
at 4s show jobs
>  1 p      PD  0:00 2 (JobHeldAdmin, UnknownLicenses:flat)
>  2 p      PD  0:00 2 (JobHeldAdmin, UnknownLicenses:lic)
>  3 p      R   0:01 2 n[1-2]
at 5s kill
at 25s show jobs
> at 13s job 3 COMPLETED
> at 13s terminate job 3 on n1
>  1 p      PD  0:00 2 (JobHeldAdmin, UnknownLicenses:flat)
>  2 p      PD  0:00 2 (JobHeldAdmin, UnknownLicenses:lic)
conf
SelectType=select/linear
Licenses=lic:2,nic:2
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
The tasks of an array, a heterogeneous job and what is requeued are held, too; one of several is enough, and each has its place again.
at 60s submit -N2 -L lic -t 1h --runs 60s
> job 4
> at 60s launch job 4 on n1
at 61s submit -N1 --array 1-3 -L flat -t 1h --runs 5s
> job 5
at 61s submit -N1 -L flat -t 1h --runs 5s : -N1
> job 6, with components up to 7
at 61s submit -N1 -L flat -t 1h --runs 5s
> job 8
at 61s submit -N1 -L flat -t 1h --runs 5s
> job 9
at 61s submit -N1 -L lic|nic -t 1h --runs 5s
> job 10
at 61s submit -N1 -t 1h --runs 5s
> job 11
conf
SelectType=select/linear
Licenses=nic:2
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=n[1-2] Default=YES
end
at 62s show jobs
>  4 p      R   0:02 2 n[1-2]
> 5_[1-3] p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  6 p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  7 p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  8 p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  9 p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
> 10 p      PD  0:00 1 (Resources)
> 11 p      PD  0:00 1 (Priority)
at 62s show job 9
> job 9 PENDING Reason=JobHeldAdmin JobHeldAdmin, UnknownLicenses:flat Priority=0 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
A release is refused as long as there is none; an update to others that are there, or to none, is a release.
at 63s release 9
> refused: Invalid license specification
at 63s update JobId=9 Licenses=flat
> refused: Invalid license specification (there is no license flat)
at 63s update JobId=9 TimeLimit=50
at 63s update JobId=9 Licenses=nic
at 63s update JobId=8 Licenses=
at 64s show jobs
>  4 p      R   0:04 2 n[1-2]
> 5_[1-3] p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  6 p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  7 p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  8 p      PD  0:00 1 (Resources)
>  9 p      PD  0:00 1 (Priority)
> 10 p      PD  0:00 1 (Priority)
> 11 p      PD  0:00 1 (Priority)
at 64s hold 5_2
at 64s cancel 9
> at 64s job 9 CANCELLED
at 64s requeue 4
> at 64s job 4 is requeued
> at 64s terminate job 4 on n1
> at 64s launch job 10 on n2
at 65s kill
> at 64.001s launch job 8 on n1
at 66s show jobs
>  4 p      PD  0:00 2 (JobHeldAdmin, UnknownLicenses:lic)
> 5_[1,3] p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  6 p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  7 p      PD  0:00 1 (JobHeldAdmin, UnknownLicenses:flat)
>  8 p      R   0:01 1 n1
> 10 p      R   0:02 1 n2
> 11 p      PD  0:00 1 (Resources)
> 5_2 p      PD  0:00 1 (JobHeldAdmin)
conf
SelectType=select/linear
Licenses=lic:2
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=n[1-2] Default=YES
resources.yaml - resource: flat
resources.yaml   mode: MODE_1
resources.yaml   layers:
resources.yaml     - {nodes: ["n[1-2]"], count: 2}
end
at 67s show jobs
>  4 p      PD  0:00 2 (Resources)
> 5_[1,3] p      PD  0:00 1 (Priority)
>  6 p      PD  0:00 1 (Priority)
>  7 p      PD  0:00 1 (Priority)
>  8 p      R   0:02 1 n1
> 10 p      R   0:03 1 n2
> 11 p      PD  0:00 1 (Priority)
> 5_2 p      PD  0:00 1 (JobHeldAdmin)
at 300s show jobs
> at 69s job 10 COMPLETED
> at 69s terminate job 10 on n2
> at 69.001s job 8 COMPLETED
> at 69.001s terminate job 8 on n1
> at 69.002s launch job 4 on n1
> at 129.002s job 4 COMPLETED
> at 129.002s terminate job 4 on n1
> at 129.002s launch job 11 on n2
> at 129.003s launch job 13 on n1
> at 134.002s job 11 COMPLETED
> at 134.002s terminate job 11 on n2
> at 134.003s job 13 COMPLETED
> at 134.003s terminate job 13 on n1
> at 134.003s launch job 5 on n2
> at 139.003s job 5 COMPLETED
> at 139.003s terminate job 5 on n2
> at 139.004s launch job 6 on n1
> at 144.004s job 6 COMPLETED
> at 144.004s terminate job 6 on n1
> at 144.004s job 7 COMPLETED
> 5_2 p      PD  0:00 1 (JobHeldAdmin)
