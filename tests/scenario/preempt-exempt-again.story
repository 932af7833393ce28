A preemptor for which no start behind PreemptExemptTime was found is looked at again when that time is over for one of its victims, and one that has a start when another comes before it, or a victim ends.
conf
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PreemptExemptTime=1:00
NodeName=n[1-10] CPUs=8
PartitionName=low Nodes=ALL Default=YES PriorityTier=1
PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF
PartitionName=top Nodes=n[1-10] PriorityTier=20 PreemptMode=OFF
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
> at 0s n10 registers
at 1s submit -N1 --exclusive -w n1 -t 60m --runs 3000s
> job 1
> at 1s launch job 1 on n1
at 2s submit -N1 --exclusive -w n2 -t 60m --runs 3000s
> job 2
> at 2s launch job 2 on n2
at 3s submit -N1 --exclusive -w n3 -t 60m --runs 3000s
> job 3
> at 3s launch job 3 on n3
at 4s submit -N1 --exclusive -w n4 -t 60m --runs 3000s
> job 4
> at 4s launch job 4 on n4
at 5s submit -N1 --exclusive -w n5 -t 60m --runs 3000s
> job 5
> at 5s launch job 5 on n5
at 6s submit -N1 --exclusive -w n6 -t 60m --runs 3000s
> job 6
> at 6s launch job 6 on n6
at 7s submit -N1 --exclusive -w n7 -t 60m --runs 3000s
> job 7
> at 7s launch job 7 on n7
at 8s submit -N1 --exclusive -w n8 -t 60m --runs 3000s
> job 8
> at 8s launch job 8 on n8
at 9s submit -N1 --exclusive -w n9 -t 60m --runs 3000s
> job 9
> at 9s launch job 9 on n9
at 10s submit -N1 --exclusive -w n10 -t 60m --runs 20s
> job 10
> at 10s launch job 10 on n10
at 15s submit -p high -N10 --exclusive -t 5m --runs 10s
> job 11
at 16s submit -p high -N10 --exclusive -t 5m --runs 10s
> job 12
at 17s submit -p high -N10 --exclusive -t 5m --runs 10s
> job 13
at 18s show plan
> 11 at 3610s on n[1-10] until 3910s
> 12 at 3910s on n[1-10] until 4210s
> 13 at 4210s on n[1-10] until 4510s
at 19s submit -N1 --exclusive -t 60m --runs 10s
> job 14
at 20s show plan
> 11 at 3610s on n[1-10] until 3910s
> 12 at 3910s on n[1-10] until 4210s
> 13 at 4210s on n[1-10] until 4510s
> 14 at 4510s on n1 until 8110s
Job 10 ends at 30s: 9 victims are left, of which the last may be preempted at 69s.
at 31s show plan
> at 30s job 10 COMPLETED
> at 30s terminate job 10 on n10
> 11 at 3609s on n[1-10] until 3909s
> 12 at 3909s on n[1-10] until 4209s
> 13 at 4209s on n[1-10] until 4509s
> 14 at 4509s on n1 until 8109s
at 62.5s show plan
> 11 at 3609s on n[1-10] until 3909s
> 11 is expected at 69s on n[1-10] by preemption
> 12 at 3909s on n[1-10] until 4209s
> 13 at 4209s on n[1-10] until 4509s
> 14 at 4509s on n1 until 8109s
at 63s submit -p top -N5 --exclusive -t 5m --runs 10s
> job 15
at 63.5s show plan
> 15 at 3604s on n[1-4,10] until 3904s
> 15 is expected at 64s on n[1-4,10] by preemption
> 11 at 3904s on n[1-10] until 4204s
> 12 at 4204s on n[1-10] until 4504s
> 13 at 4504s on n[1-10] until 4804s
> 14 at 4804s on n1 until 8404s
at 200s show jobs
> at 64s job 1 PREEMPTED
> at 64s terminate job 1 on n1
> at 64s job 2 PREEMPTED
> at 64s terminate job 2 on n2
> at 64s job 3 PREEMPTED
> at 64s terminate job 3 on n3
> at 64s job 4 PREEMPTED
> at 64s terminate job 4 on n4
> at 64.001s launch job 15 on n1
> at 74.001s job 15 COMPLETED
> at 74.001s terminate job 15 on n1
> at 74.001s job 5 PREEMPTED
> at 74.001s terminate job 5 on n5
> at 74.001s job 6 PREEMPTED
> at 74.001s terminate job 6 on n6
> at 74.001s job 7 PREEMPTED
> at 74.001s terminate job 7 on n7
> at 74.001s job 8 PREEMPTED
> at 74.001s terminate job 8 on n8
> at 74.001s job 9 PREEMPTED
> at 74.001s terminate job 9 on n9
> at 74.002s launch job 11 on n1
> at 84.002s job 11 COMPLETED
> at 84.002s terminate job 11 on n1
> at 84.003s launch job 12 on n1
> at 94.003s job 12 COMPLETED
> at 94.003s terminate job 12 on n1
> at 94.004s launch job 13 on n1
> at 104.004s job 13 COMPLETED
> at 104.004s terminate job 13 on n1
> at 104.004s launch job 14 on n2
> at 114.004s job 14 COMPLETED
> at 114.004s terminate job 14 on n2
