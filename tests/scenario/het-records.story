conf
NodeName=n[1-4] CPUs=4
PartitionName=p Nodes=n[1-4] Default=YES
PartitionName=few Nodes=n1
Licenses=a:4
MaxJobCount=5
MinJobAge=10
EnforcePartLimits=ALL
end
All components are admitted, or none: one that cannot be takes the others back.
at 0s submit -N1 : -N9 : -N1
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
> refused: Node count specification invalid
at 0s submit -N1 : -p nope
> refused: Invalid partition name specified (invalid partition specified: nope)
at 0s submit -N1 : -p few -N2
> refused: Node count specification invalid
What only the first one may ask for, and what none may.
at 0s submit -N1 -L a:1 : -N1 -L a:1
> refused: Invalid license specification (1: license request allowed only on leader job)
at 0s submit -N1 : -N1 --array 1-2
> refused: Invalid job array specification
None waits for another one of the same request.
at 0s submit -N1 : -N1 -d afterok:12
> refused: Job dependency problem
Their ids follow each other; the ones that were refused are not used again.
at 1s submit -N1 -L a:1 --runs 20s : -N1 : -N2
> job 14, with components up to 16
> at 1s launch job 14 on n1
at 1s show jobs
> 14 p      R   0:00 1 n1
> 15 p      R   0:00 1 n2
> 16 p      R   0:00 2 n[3-4]
MaxJobCount counts each.
at 1s submit -N1 : -N1 : -N1 : -N1 : -N1 : -N1
> refused: Slurm controller can not accept more jobs (MaxJobCount)
at 1s submit -N4 --runs 5s --exclusive
> job 17
A controller that dies knows them again, as one.
at 2s kill
at 10s show jobs
> at 2.5s n1 registers
> at 2.597s n2 registers
> at 2.694s n3 registers
> at 2.791s n4 registers
> 14 p      R   0:09 1 n1
> 15 p      R   0:09 1 n2
> 16 p      R   0:09 2 n[3-4]
> 17 p      PD  0:00 4 (Resources)
One waits for a component that its job has; any other is no dependency, and not one that is met.
at 10s cancel 17
> at 10s job 17 CANCELLED
at 11s submit -N1 -d afterok:14+3
> refused: Job dependency problem (job 14 has no component 3)
at 11s submit -N1 -d afterok:15+0
> refused: Job dependency problem (job 15 has no component 0)
at 11s submit -N1 -d afterok:14+2 --runs 5s
> job 18
at 12s update JobId=18 Dependency=afterany:14+7
> refused: Job dependency problem (job 14 has no component 7)
at 12s show jobs
> 14 p      R   0:11 1 n1
> 15 p      R   0:11 1 n2
> 16 p      R   0:11 2 n[3-4]
> 18 p      PD  0:00 1 (Dependency)
at 30s show jobs
> at 21s job 14 COMPLETED
> at 21s terminate job 14 on n1
> at 21s job 15 COMPLETED
> at 21s job 16 COMPLETED
> at 21s launch job 18 on n2
> at 26s job 18 COMPLETED
> at 26s terminate job 18 on n2
