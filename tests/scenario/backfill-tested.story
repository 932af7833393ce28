bf_max_job_user, bf_max_job_user_part and bf_max_job_assoc: so many jobs of a user, of a user in a partition, of an association have places in the plan.
conf
SchedulerParameters=bf_max_job_user_part=1
AccountingStorageEnforce=associations
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=q Nodes=ALL MaxTime=1000
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s sacctmgr add account a
at 1s sacctmgr add account b
at 1s sacctmgr add user alice,bob account=a
at 1s sacctmgr add user alice account=b
at 2s submit -N2 --user=alice --account a -t 100s --runs 1000s
> job 1
> at 2s launch job 1 on n1
at 3s submit -N2 --user=alice --account a -t 100s
> job 2
at 3s submit -N2 --user=alice --account a -t 100s
> job 3
at 3s submit -N2 --user=alice --account b -t 100s
> job 4
at 3s submit -N2 --user=alice --account a -p q -t 100s
> job 5
at 3s submit -N2 --uid=1001 --user=bob --account a -t 100s
> job 6
at 3s submit -N2 --uid=1001 --user=bob --account a -t 100s
> job 7
at 4s show plan
> 2 at 102s on n[1-2] until 202s
> 3 is not planned
> 4 is not planned
> 5 at 202s on n[1-2] until 302s
> 6 at 302s on n[1-2] until 402s
> 7 is not planned
conf
SchedulerParameters=bf_max_job_user=1
AccountingStorageEnforce=associations
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=q Nodes=ALL MaxTime=1000
end
at 6s show plan
> 2 at 102s on n[1-2] until 202s
> 3 is not planned
> 4 is not planned
> 5 is not planned
> 6 at 202s on n[1-2] until 302s
> 7 is not planned
conf
SchedulerParameters=bf_max_job_assoc=1
AccountingStorageEnforce=associations
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=q Nodes=ALL MaxTime=1000
end
at 8s show plan
> 2 at 102s on n[1-2] until 202s
> 3 is not planned
> 4 at 202s on n[1-2] until 302s
> 5 is not planned
> 6 at 302s on n[1-2] until 402s
> 7 is not planned
conf
SchedulerParameters=bf_max_job_assoc=1,bf_max_job_user=1
AccountingStorageEnforce=associations
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES MaxTime=1000
PartitionName=q Nodes=ALL MaxTime=1000
end
at 10s show plan
> 2 at 102s on n[1-2] until 202s
> 3 is not planned
> 4 is not planned
> 5 is not planned
> 6 at 202s on n[1-2] until 302s
> 7 is not planned
