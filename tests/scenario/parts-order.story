A job starts beside others and lifts the plan of one behind it: that one finds the earliest place before any job behind it, whose own plans are not in its way.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_resolution=0
NodeName=n[1-2] CPUs=4
NodeName=t1 CPUs=4
NodeName=t[2-3] CPUs=4 Feature=f
NodeName=s[1-6] CPUs=1
NodeName=w1 CPUs=8 Weight=9
NodeName=w2 CPUs=4
PartitionName=p Nodes=n[1-2] Default=YES
PartitionName=single Nodes=s[1-6]
PartitionName=weights Nodes=w[1-2]
PartitionName=turns Nodes=t[1-3]
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s t1 registers
> at 0s t2 registers
> at 0s t3 registers
> at 0s s1 registers
> at 0s s2 registers
> at 0s s3 registers
> at 0s s4 registers
> at 0s s5 registers
> at 0s s6 registers
> at 0s w1 registers
> at 0s w2 registers
at 1s submit -N1 -w n1 -n4 -t 100s --runs 100s
> job 1
> at 1s launch job 1 on n1
at 1s submit -N1 -w n2 -n4 -t 130s --runs 80s
> job 2
> at 1s launch job 2 on n2
Job 3 comes first, when n1 is free; the exclusive job 4 has n2 when that is, and job 5 n1 behind job 3.
at 2s submit -N1 -n3 -t 50s --runs 50s
> job 3
at 2s submit --exclusive -N1 -t 100s --runs 100s
> job 4
at 2s submit -N1 -n4 -t 110s --runs 100s
> job 5
at 3s show plan
> 3 at 101s on n1 until 151s
> 4 at 131s on n2 until 231s
> 5 at 151s on n1 until 261s
n2 is free early and job 3 starts there, which costs job 4 some seconds; on n1, where job 5 was planned, it is earlier.
at 85s show plan
> at 81s job 2 COMPLETED
> at 81s terminate job 2 on n2
> at 81.001s launch job 3 on n2
> 4 at 101s on n1 until 201s
> 5 at 131.001s on n2 until 241.001s
at 500s show jobs
> at 101s job 1 COMPLETED
> at 101s terminate job 1 on n1
> at 101.001s launch job 4 on n1
> at 131.001s job 3 COMPLETED
> at 131.001s terminate job 3 on n2
> at 131.002s launch job 5 on n2
> at 201.001s job 4 COMPLETED
> at 201.001s terminate job 4 on n1
> at 231.002s job 5 COMPLETED
> at 231.002s terminate job 5 on n2
Nodes that come first by their weight are better, whatever their numbers: when job 8 goes, job 9 is to have w2.
at 500s submit -p weights -N1 -w w1 -n8 -t 100s --runs 99s
> job 6
> at 500s launch job 6 on w1
at 500s submit -p weights -N1 -w w2 -n4 -t 100s --runs 99s
> job 7
> at 500s launch job 7 on w2
at 500s submit -p weights -N1 -n4 -t 100s --runs 100s
> job 8
at 501s submit -p weights -N1 -n4 -t 90s --runs 90s
> job 9
at 501s show plan
> 8 at 600s on w2 until 700s
> 9 at 600s on w1 until 690s
at 502s cancel 8
> at 502s job 8 CANCELLED
at 503s show plan
> 9 at 600s on w2 until 690s
at 800s show jobs
> at 599s job 6 COMPLETED
> at 599s terminate job 6 on w1
> at 599s job 7 COMPLETED
> at 599s terminate job 7 on w2
> at 599.001s launch job 9 on w1
> at 689.001s job 9 COMPLETED
> at 689.001s terminate job 9 on w1
A range of nodes has as many of them in the plan as it will get: job 13 is not planned for one of them.
at 800s submit -p single -N6 -t 100s --runs 100s
> job 10
> at 800s launch job 10 on s1
at 800s submit -p single -N1 -t 100s --runs 10s
> job 11
at 800s submit -p single -N4-6 -t 100s --runs 100s
> job 12
at 800s submit -p single --exclusive -N1 -t 100s --runs 100s
> job 13
at 801s show plan
> 11 at 900s on s1 until 1000s
> 12 at 900s on s[2-6] until 1000s
> 13 at 1000s on s1 until 1100s
at 1500s show jobs
> at 900s job 10 COMPLETED
> at 900s terminate job 10 on s1
> at 900s launch job 11 on s2
> at 900s launch job 12 on s3
> at 900.001s launch job 13 on s1
> at 910s job 11 COMPLETED
> at 910s terminate job 11 on s2
> at 1000s job 12 COMPLETED
> at 1000s terminate job 12 on s3
> at 1000.001s job 13 COMPLETED
> at 1000.001s terminate job 13 on s1
In one pass job 17 starts on t2, where job 18 was planned, and job 19 has its begin time: it does not take what job 18 is to have of t3 then.
at 1501s submit -p turns -N1 -w t1 -n4 -t 100s --runs 100s
> job 14
> at 1501s launch job 14 on t1
at 1501s submit -p turns -N1 -w t2 -n4 -t 130s --runs 80s
> job 15
> at 1501s launch job 15 on t2
at 1501s submit -p turns -N1 -w t3 -n2 -t 140s --runs 140s
> job 16
> at 1501s launch job 16 on t3
at 1502s submit -p turns -N1 -n4 -t 100s --runs 100s
> job 17
at 1502s submit -p turns -C f -N1 -n4 -t 100s --runs 100s
> job 18
at 1502s submit -p turns -N1 -n2 --begin 79.001s -t 100s --runs 100s
> job 19
at 1503s show plan
> 17 at 1601s on t1 until 1701s
> 18 at 1631s on t2 until 1731s
> 19 is not planned
at 1585s show plan
> at 1581s job 15 COMPLETED
> at 1581s terminate job 15 on t2
> at 1581.001s launch job 17 on t2
> 18 at 1641s on t3 until 1741s
> 19 at 1601s on t1 until 1701s
at 2000s show jobs
> at 1601s job 14 COMPLETED
> at 1601s terminate job 14 on t1
> at 1601.001s launch job 19 on t1
> at 1641s job 16 COMPLETED
> at 1641s terminate job 16 on t3
> at 1641.001s launch job 18 on t3
> at 1681.001s job 17 COMPLETED
> at 1681.001s terminate job 17 on t2
> at 1701.001s job 19 COMPLETED
> at 1701.001s terminate job 19 on t1
> at 1741.001s job 18 COMPLETED
> at 1741.001s terminate job 18 on t3
