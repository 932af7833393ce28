Triggers: when one fires, and with what. Events of nodes are gathered for 15 s; a trigger that is not permanent fires once.
conf
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
SlurmdTimeout=0
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 20s trigger down
> trigger 1
at 20s trigger down
> refused: Duplicate event trigger
at 20s trigger down,up perm
> trigger 2
at 20s trigger up nodes=n[3-4]
> trigger 3
at 20s trigger up nodes=n9
> refused: Invalid node name specified
at 20s trigger drained
> trigger 4
at 20s trigger fini
> refused: a trigger has events, of one job or of nodes
at 20s trigger fini job=7
> refused: Invalid job id specified
Two nodes go down within the interval: one program for both. One that comes back meanwhile is told of as up, too.
at 21s update NodeName=n1 State=DOWN Reason=x
at 25s update NodeName=n2 State=DOWN Reason=x
at 26s update NodeName=n1 State=RESUME
at 40s update NodeName=n3 State=DOWN Reason=x
> at 36s trigger 1 n[1-2]
> at 36s trigger 2 n[1-2]
at 45s update NodeName=n3 State=RESUME
A node is drained when its last job has ended; draining begins before.
at 60s submit -w n4 -t 100s --runs 50s
> at 55s trigger 2 n3
> at 55s trigger 3 n3
> job 1
> at 60s launch job 1 on n4
at 61s trigger draining
> trigger 5
at 62s update NodeName=n4 State=DRAIN Reason=x
at 80s trigger resume,fail
> at 77s trigger 5 n4
> trigger 6
at 112s update NodeName=n4 State=RESUME
> at 110s job 1 COMPLETED
> at 110s terminate job 1 on n4
at 130s update NodeName=n1 State=FAIL Reason=x
> at 125.001s trigger 4 n4
> at 125.001s trigger 6 n4
The program is asked for again after a kill, until it is known to have ended; a later event does not fire what has fired.
at 150s trigger ended 1
at 150s kill
> at 150s trigger 2 n[1-2]
> at 150s trigger 2 n3
> at 150s trigger 3 n3
> at 150s trigger 5 n4
> at 150s trigger 4 n4
> at 150s trigger 6 n4
at 151s trigger ended 2
at 151s trigger ended 3
at 151s trigger ended 4
at 151s trigger ended 5
at 151s trigger ended 6
at 151s trigger ended 7
at 151s trigger clear user=0
> cleared 1
An event just before a kill is not lost.
at 200s trigger down nodes=n2
> trigger 7
at 200s trigger up nodes=n3
> trigger 8
at 200s trigger primary_slurmctld_failure
> trigger 9
at 200s trigger primary_slurmctld_resumed_control perm
> trigger 10
at 200s update NodeName=n2 State=RESUME
at 202s update NodeName=n2 State=DOWN Reason=x
at 203s kill
at 230s trigger clear user=0
> at 218s trigger 7 n2
> at 218s trigger 9 primary_slurmctld_failure
> at 218s trigger 10 primary_slurmctld_resumed_control
> cleared 2
Jobs: the limit, with offsets; the end; the nodes of a job; a job that is forgotten.
at 240s submit -w n3 -t 100s --runs 80s
> job 2
> at 240s launch job 2 on n3
at 241s trigger time job=2 offset=-60
> trigger 11
at 241s trigger time job=2
> trigger 12
at 241s trigger fini job=2 offset=30
> trigger 13
at 241s trigger down job=2
> trigger 14
at 250s update NodeName=n1 State=DOWN Reason=x
at 260s update NodeName=n3 State=DRAIN Reason=x
at 300s update JobId=2 TimeLimit=5
> at 280s trigger 11 2
at 360s trigger clear job=2
> at 320s job 2 COMPLETED
> at 320s terminate job 2 on n3
> at 350s trigger 13 2
> cleared 1
at 400s update NodeName=n3 State=RESUME
Idle nodes: told of once for each time that they idle.
at 410s trigger idle offset=60 perm
> trigger 15
> at 410s trigger 15 n[3-4]
at 480s submit -w n3 -t 100s --runs 10s
> job 3
> at 480s launch job 3 on n3
at 600s trigger clear id=99
> at 490s job 3 COMPLETED
> at 490s terminate job 3 on n3
> at 550.001s trigger 15 n3
> cleared 0
at 700s kill
> at 700s trigger 7 n2
> at 700s trigger 9 primary_slurmctld_failure
> at 700s trigger 10 primary_slurmctld_resumed_control
> at 700s trigger 11 2
> at 700s trigger 13 2
> at 700s trigger 15 n[3-4]
> at 700s trigger 15 n3
at 720s trigger clear user=0
> cleared 1
Read again.
at 730s trigger reconfig
> trigger 16
at 731s
conf
NodeName=n[1-4] CPUs=2
PartitionName=p Nodes=ALL Default=YES
SlurmdTimeout=0
end
at 760s
> at 746s trigger 16 reconfig
A job is forgotten before the offset behind its end: the program runs all the same.
at 800s submit -w n3 -t 100s --runs 10s
> job 4
> at 800s launch job 4 on n3
at 801s trigger fini job=4 offset=1000
> trigger 17
at 1900s submit -w n3 -t 300s --runs 200s
> at 810s job 4 COMPLETED
> at 810s terminate job 4 on n3
> at 1810s trigger 17 4
> job 5
> at 1900s launch job 5 on n3
at 1901s trigger draining,fini job=5 perm
> trigger 18
at 1902s update NodeName=n3 State=DRAIN Reason=x
at 2200s
> at 1917s trigger 18 5
> at 2100s job 5 COMPLETED
> at 2100s terminate job 5 on n3
> at 2100s trigger 18 5
