--no-kill: what a job has lost is not waited for when its launch is sent again.
conf
SelectType=select/linear
BatchStartTimeout=30
SlurmdTimeout=30
NodeName=n[1-3] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
at 0s fault never-answers n1
at 1s submit -N3 --no-kill --wait-all-nodes -t 100s --runs 10s
> job 1
> at 1s launch job 1 on n1
at 2s cut n3
at 40s repair n1
at 60s show jobs
> at 41s disconnect n1
> at 46s launch job 1 on n1
> at 56s job 1 COMPLETED
> at 56s terminate job 1 on n1
