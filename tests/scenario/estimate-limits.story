sbatch --test-only heeds limits of QOS and associations, and max_powered_nodes: what is free now may not be had now.
conf
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=limits,qos
SlurmctldParameters=max_powered_nodes=3
NodeName=n[1-2] CPUs=4
NodeName=c[1-3] CPUs=4 State=CLOUD
PartitionName=p Nodes=n[1-2] Default=YES MaxTime=1:00:00
PartitionName=cloud Nodes=c[1-3] MaxTime=1:00:00
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 0s sacctmgr add account all
at 0s sacctmgr add user carol account=all
at 0s sacctmgr add qos one maxjobspu=1
at 0s sacctmgr add qos few grptres=cpu=4
at 0s sacctmgr add qos tiny maxtrespj=cpu=2
at 0s sacctmgr modify user carol set qos+=one,few,tiny
at 1s submit --user=carol -q one -n1 -t 600s --runs 500s
> job 1
> at 1s launch job 1 on n1
at 1s submit --user=carol -q few -n3 -t 300s --runs 200s
> job 2
> at 1s launch job 2 on n1
A user's jobs, a QOS's processors; and a job that is too large whatever ends.
at 2s estimate --user=carol -q one -n1
> in 00:09:59 on n1, 1 CPUs
at 2s estimate --user=carol -q few -n1
> in 00:00:00 on n2, 1 CPUs
at 2s estimate --user=carol -q few -n2
> in 00:04:59 on n1, 2 CPUs
at 2s estimate --user=carol -q tiny -n1
> in 00:00:00 on n2, 1 CPUs
at 2s estimate --user=carol -q tiny -n3
> never within its limits
One of three may have power beside n1 and n2; a second one when all of these sleep that are not needed.
at 3s estimate --user=carol -p cloud -N1
> in 00:00:00 on c1, 1 CPUs
at 3s estimate --user=carol -p cloud -N2
> in 00:01:50 on c[1-2], 2 CPUs
at 3s submit --user=carol -p cloud -N1 -t 300s --exclusive --runs 200s
> job 3
> at 3s resume c1 (job 3: c1)
at 4s estimate --user=carol -p cloud -N1 --exclusive
> in 00:01:50 on c2, 4 CPUs
at 4s estimate --user=carol -p cloud -N3 --exclusive
> in 00:11:47 on c[1-3], 12 CPUs
A job waits: the plan has a place at once, the limit has none.
at 5s submit --user=carol -N2 --exclusive -t 60s --runs 60s
> job 4
at 6s estimate --user=carol -q few -n2 -t 60s
> in 00:04:55 on n1, 2 CPUs
at 6s estimate --user=carol -q one -n1 -t 60s
> in 00:09:55 on n1, 1 CPUs
at 6s estimate --user=carol -n1 -t 60s
> in 00:00:00 on n2, 1 CPUs
at 6s estimate --user=carol -q tiny -n3
> never within its limits
Components count together: two jobs of a user, four processors in all of a QOS, three nodes with power.
at 600s show jobs
> at 23s launch job 3 on c1
> at 100s suspend n2
> at 201s job 2 COMPLETED
> at 201s terminate job 2 on n1
> at 223s job 3 COMPLETED
> at 223s terminate job 3 on c1
> at 323.001s suspend c1
> at 501s job 1 COMPLETED
> at 501s terminate job 1 on n1
> at 501.001s launch job 4 on n1
> at 501.001s resume n2 (job 4: n2)
> at 561.001s job 4 COMPLETED
> at 561.001s terminate job 4 on n1
at 601s estimate --user=carol -q one -n1 : -q one -n1
> never within its limits
at 601s estimate --user=carol -q few -n3 : -q few -n2
> never within its limits
at 601s estimate --user=carol -q few -n2 : -q few -n2
> in 00:00:00 on n[1-2], 4 CPUs
at 601s estimate --user=carol -N2 : -p cloud -N1
> in 00:00:00 on n[1-2],c1, 3 CPUs
at 601s estimate --user=carol -N2 : -p cloud -N2
> not on these nodes
at 602s submit --user=carol -q few -n2 -t 300s --runs 200s
> job 5
> at 602s launch job 5 on n1
at 603s estimate --user=carol -q few -n2 : -q few -n1
> in 00:04:59 on n[1-2], 3 CPUs
at 603s estimate --user=carol -N1 : -p cloud -N2
> in 00:01:50 on n1,c[1-2], 3 CPUs
