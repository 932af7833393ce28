What a job that waits asks for is changed (scontrol update): key by key, made smaller it starts at once, made larger it waits for more; what is planned for others follows.
conf
NodeName=n[1-2] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=8000 TmpDisk=100 Gres=gpu:2 Feature=a
NodeName=n3 CPUs=8 Sockets=1 CoresPerSocket=8 RealMemory=8000 TmpDisk=500 Feature=b
PartitionName=p Nodes=ALL Default=YES OverSubscribe=YES
PartitionName=two Nodes=n[1-2]
PartitionName=capped Nodes=n3 MaxMemPerCPU=1000
MinJobAge=100000
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
Six of eight CPUs of each node are taken, for a quarter of an hour.
at 1s submit -N3 -n18 --ntasks-per-node 6 --mem 4000 -t 15m --runs 15m
> job 1
> at 1s launch job 1 on n1
Tasks and CPUs for each.
at 2s submit -N1 -n4 --mem 100 -t 5m --runs 10s
> job 2
at 2s show plan
> 2 at 901s on n1 until 1201s
at 3s update owner JobId=2 NumTasks=2
> at 3s launch job 2 on n1
at 3s show jobs
>  1 p      R   0:02 3 n[1-3]
>  2 p      R   0:00 1 n1
at 20s submit -N1 -n2 -c 4 --mem 100 -t 5m --runs 10s
> at 13s job 2 COMPLETED
> at 13s terminate job 2 on n1
> job 3
at 21s update owner JobId=3 CPUsPerTask=1
> at 21s launch job 3 on n1
at 21s show jobs
>  1 p      R   0:20 3 n[1-3]
>  3 p      R   0:00 1 n1
CPUs of the node, memory of the node and for each CPU.
at 40s submit -N1 -n1 --mincpus 5 --mem 100 -t 5m --runs 10s
> at 31s job 3 COMPLETED
> at 31s terminate job 3 on n1
> job 4
at 41s update owner JobId=4 MinCPUsNode=1
> at 41s launch job 4 on n1
at 41s show jobs
>  1 p      R   0:40 3 n[1-3]
>  4 p      R   0:00 1 n1
at 60s submit -N1 -n1 --mem 5000 -t 5m --runs 10s
> at 51s job 4 COMPLETED
> at 51s terminate job 4 on n1
> job 5
at 61s update owner JobId=5 MinMemoryNode=4000
> at 61s launch job 5 on n1
at 61s show jobs
>  1 p      R   1:00 3 n[1-3]
>  5 p      R   0:00 1 n1
at 80s submit -N1 -n2 --mem-per-cpu 3000 -t 5m --runs 10s
> at 71s job 5 COMPLETED
> at 71s terminate job 5 on n1
> job 6
at 81s update owner JobId=6 MinMemoryCPU=1000
> at 81s launch job 6 on n1
at 81s show parts
>  job 1 has 6 CPUs, 4000 MB of n1
>  job 1 has 6 CPUs, 4000 MB of n2
>  job 1 has 6 CPUs, 4000 MB of n3
>  job 6 has 2 CPUs, 2000 MB of n1
Generic resources, and the disk: of the one that has them.
at 100s submit -w n3 -N1 -n1 --mem 100 -t 60m --runs 10s --begin 100s
> at 91s job 6 COMPLETED
> at 91s terminate job 6 on n1
> job 7
at 101s update owner JobId=7 Gres=gpu:1
> refused: Requested node configuration is not available
at 101s show job 7
> job 7 PENDING Reason=BeginTime Priority=4294901753 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 102s submit -N1 -n1 --gres gpu:1 --mem 100 -t 5m --runs 60s -w n1
> job 8
> at 102s launch job 8 on n1
at 103s submit -N1 -n1 --gres gpu:2 --mem 100 -t 5m --runs 10s -w n1
> job 9
at 104s show plan
> 7 is not planned
> 9 at 402s on n1 until 702s
at 105s update owner JobId=9 Gres=gpu:1
> at 105s launch job 9 on n1
at 105s show gres
> n1 gpu:2(IDX:0-1)
>  job 8 has gpu:1(IDX:0) of n1
>  job 9 has gpu:1(IDX:1) of n1
at 180s submit -N1 -n1 --tmp 400 --mem 100 -t 5m --runs 10s --hold
> at 115s job 9 COMPLETED
> at 115s terminate job 9 on n1
> at 162s job 8 COMPLETED
> at 162s terminate job 8 on n1
> job 10
at 180s update owner JobId=10 MinTmpDiskNode=1000
> refused: Requested node configuration is not available (Temporary disk specification can not be satisfied)
at 180s show job 10
> job 10 PENDING Reason=JobHeldUser Priority=0 Restarts=0 RunTime=00:00:00 Nodes= CPUs=0 Exit=0:0
at 180s update owner JobId=10 MinTmpDiskNode=50
at 180s release 10
> at 180s launch job 10 on n1
at 180s show jobs
>  1 p      R   2:59 3 n[1-3]
>  7 p      PD  0:00 1 (BeginTime)
> 10 p      R   0:00 1 n1
The shape of its nodes; how many tasks on each.
at 200s submit -N1 -n1 --sockets-per-node 1 --cores-per-socket 8 --mem 100 -t 5m --runs 10s --hold
> at 190s job 10 COMPLETED
> at 190s terminate job 10 on n1
> at 200s launch job 7 on n3
> job 11
at 201s update owner JobId=11 ReqSockets=2 ReqCores=8
> refused: Requested node configuration is not available (Socket, core and/or thread specification can not be satisfied)
at 201s update owner JobId=11 ReqSockets=2 ReqCores=4 ReqThreads=1
at 201s release 11
at 201s show jobs
>  1 p      R   3:20 3 n[1-3]
>  7 p      R   0:01 1 n3
> 11 p      PD  0:00 1 (Resources)
at 220s submit -N2 -n4 --ntasks-per-node 3 --mem 100 -t 5m --runs 10s
> at 210s job 7 COMPLETED
> at 210s terminate job 7 on n3
> job 12
at 221s update JobId=12 TasksPerNode=2
> at 221s launch job 12 on n1
at 221s show jobs
>  1 p      R   3:40 3 n[1-3]
> 11 p      PD  0:00 1 (Resources)
> 12 p      R   0:00 2 n[1-2]
Alone on its nodes or not; nodes in a row.
at 240s submit -N1 -n1 --exclusive --mem 100 -t 5m --runs 10s
> at 231s job 12 COMPLETED
> at 231s terminate job 12 on n1
> job 13
at 240s show plan
> 11 at 901s on n1 until 1201s
> 13 at 901s on n2 until 1201s
at 241s update JobId=13 OverSubscribe=YES
> at 241s launch job 13 on n1
at 241s show jobs
>  1 p      R   4:00 3 n[1-3]
> 11 p      PD  0:00 1 (Resources)
> 13 p      R   0:00 1 n1
at 260s submit -N1 -n2 --mem 100 -t 5m --runs 60s -w n2
> at 251s job 13 COMPLETED
> at 251s terminate job 13 on n1
> job 14
> at 260s launch job 14 on n2
at 261s submit -N2 -n2 --mem 100 -t 5m --runs 10s --hold
> job 15
at 261s update JobId=15 Contiguous=yes
at 261s release 15
at 262s show plan
> 11 at 901s on n1 until 1201s
> 15 at 560s on n[1-2] until 860s
at 262s update owner JobId=15 ExcNodeList=n2 NumNodes=2
> refused: Requested node configuration is not available
at 263s update owner JobId=15 ExcNodeList=n2 NumNodes=1 NumTasks=1
> at 263s launch job 15 on n1
at 263s show jobs
>  1 p      R   4:22 3 n[1-3]
> 11 p      PD  0:00 1 (Resources)
> 14 p      R   0:03 1 n2
> 15 p      R   0:00 1 n1
Less memory takes fewer CPUs where MaxMemPerCPU says so, and as many again for more.
at 400s submit -p capped -N1 -n1 --mem 4000 -t 5m --runs 10s --hold
> at 273s job 15 COMPLETED
> at 273s terminate job 15 on n1
> at 320s job 14 COMPLETED
> at 320s terminate job 14 on n2
> job 16
at 400s submit -p capped -N1 -n1 --mem-per-cpu 4000 -t 5m --runs 10s --hold
> job 17
at 401s update owner JobId=16 MinMemoryNode=8000
at 401s update owner JobId=16 MinMemoryNode=1500
at 401s update owner JobId=17 MinMemoryCPU=8000
at 401s update owner JobId=17 MinMemoryCPU=500 NumTasks=2
at 401s release 16
> at 401s launch job 16 on n3
at 402s show parts
>  job 1 has 6 CPUs, 4000 MB of n1
>  job 1 has 6 CPUs, 4000 MB of n2
>  job 1 has 6 CPUs, 4000 MB of n3
>  job 16 has 2 CPUs, 1500 MB of n3
at 420s release 17
> at 411s job 16 COMPLETED
> at 411s terminate job 16 on n3
> at 420s launch job 17 on n3
at 421s show parts
>  job 1 has 6 CPUs, 4000 MB of n1
>  job 1 has 6 CPUs, 4000 MB of n2
>  job 1 has 6 CPUs, 4000 MB of n3
>  job 17 has 2 CPUs, 1000 MB of n3
Larger: it waits, and the one behind it may have what was planned for it.
at 500s submit -N1 -n8 --mem 100 -t 30m --runs 30m
> at 430s job 17 COMPLETED
> at 430s terminate job 17 on n3
> job 18
at 501s submit -N1 -n6 --mem 100 -t 30m --runs 30m
> job 19
at 502s show plan
> 11 at 901s on n1 until 1201s
> 18 at 901s on n2 until 2701s
> 19 at 901s on n3 until 2701s
at 503s update owner JobId=18 NumNodes=3 NumTasks=24
at 504s show plan
> 11 at 901s on n1 until 1201s
> 18 at 1201s on n[1-3] until 3001s
> 19 at 3001s on n1 until 4801s
at 505s update owner JobId=18 NumNodes=1 NumTasks=2
> at 505s launch job 18 on n2
at 505s show jobs
>  1 p      R   8:24 3 n[1-3]
> 11 p      PD  0:00 1 (Resources)
> 18 p      R   0:00 1 n2
> 19 p      PD  0:00 1 (Priority)
at 505s show plan
> 11 at 901s on n1 until 1201s
> 19 at 901s on n2 until 2701s
What could never run is refused, and nothing of it is done.
at 600s submit -N1 -n1 --mem 100 -t 5m --runs 10s --hold -p p,two
> job 20
at 600s update owner JobId=20 NumTasks=200
> refused: Requested node configuration is not available
at 600s update owner JobId=20 CPUsPerTask=9
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 600s update owner JobId=20 MinMemoryNode=9000
> refused: Requested node configuration is not available (Memory specification can not be satisfied)
at 600s update owner JobId=20 MinCPUsNode=100 NumTasks=2
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 600s update owner JobId=20 Gres=gpu:3
> refused: Requested node configuration is not available
at 600s update owner JobId=20 Gres=fpga:1
> refused: Invalid generic resource (gres) specification (no node has gres/fpga)
at 600s update owner JobId=20 NumTasks=4 Features=nosuch
> refused: Invalid feature specification
at 600s update owner JobId=20 ReqNodeList=n1 ExcNodeList=n1
> refused: Invalid node name specified
at 600s update owner JobId=20 NumNodes=4-2
> refused: Node count specification invalid
at 601s release 20
> at 601s launch job 20 on n1
at 602s show jobs
>  1 p      R  10:01 3 n[1-3]
> 11 p      PD  0:00 1 (Resources)
> 18 p      R   1:37 1 n2
> 19 p      PD  0:00 1 (Priority)
> 20 p      R   0:01 1 n1
at 602s show parts
>  job 1 has 6 CPUs, 4000 MB of n1
>  job 1 has 6 CPUs, 4000 MB of n2
>  job 1 has 6 CPUs, 4000 MB of n3
>  job 18 has 2 CPUs, 100 MB of n2
>  job 20 has 1 CPUs, 100 MB of n1
One that waits in two partitions and needs what only one of them has.
at 700s submit -N1 -n1 --mem 100 -t 5m --runs 10s --hold -p two,p
> at 611s job 20 COMPLETED
> at 611s terminate job 20 on n1
> job 21
at 700s update owner JobId=21 MinTmpDiskNode=400
at 700s release 21
> at 700s launch job 21 on n3
at 701s show jobs
>  1 p      R  11:40 3 n[1-3]
> 11 p      PD  0:00 1 (Resources)
> 18 p      R   3:16 1 n2
> 19 p      PD  0:00 1 (Priority)
> 21 p      R   0:01 1 n3
The rest of an array, and a task of it.
at 4000s submit -N3 -n24 --mem 100 -t 5m --runs 10s --array 0-4
> at 710s job 21 COMPLETED
> at 710s terminate job 21 on n3
> at 901s job 1 COMPLETED
> at 901s terminate job 1 on n1
> at 901s launch job 19 on n2
> at 901.001s launch job 11 on n1
> at 911.001s job 11 COMPLETED
> at 911.001s terminate job 11 on n1
> at 2305s job 18 COMPLETED
> at 2305s terminate job 18 on n2
> at 2701s job 19 COMPLETED
> at 2701s terminate job 19 on n2
> job 22
> at 4000s launch job 23 on n1
at 4001s update owner JobId=22 NumNodes=1 NumTasks=8
at 4001s show jobs
> 22_[1-4] p      PD  0:00 1 (Resources)
> 22_0 p      R   0:01 3 n[1-3]
at 4001s show plan
> 22 at 4300s on n1 until 4600s
