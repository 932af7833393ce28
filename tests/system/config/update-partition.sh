#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol update with several keys does all of it or nothing; the nodes of a partition change while its jobs run.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cluster_conf 'n[1-3]'
cat >>"$DIR/slurm.conf" <<END
PartitionName=small Nodes=n1 MaxTime=60
PartitionName=acc Nodes=ALL AllowAccounts=good
END
ctld_start && agent_start n1 && agent_start n2 && agent_start n3 && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'three nodes' || { cluster_logs; tap_done; }

# ---- a job ----
j=$(sbatch -Q --parsable -H -J old -t 10 -N1 -o /dev/null --wrap true)
shown() { scontrol -o show job "$j" | tr ' ' '\n' | grep -E '^(JobName|TimeLimit|Partition|Comment|Account|NumNodes|Features|ReqNodeList|ExcNodeList|Priority)='; }
before=$(shown)
nothing() { # TEXT KEY=VALUE...
        local text=$1
        shift
        run scontrol update jobid="$j" "$@"
        tap_like "$rc|$err" "^1\|.*$text" "update job $*: refused"
        tap_is "$(shown)" "$before" '... and it is as it was'
}
nothing 'Invalid partition name' JobName=new TimeLimit=20 Comment=x Partition=nosuch
nothing 'Invalid feature specification' Partition=small TimeLimit=20 Features=nosuch
nothing 'Node count specification invalid' NumNodes=2 Partition=small
nothing 'Node count specification invalid' Partition=small NumNodes=2
nothing 'Invalid account' Account=bad Partition=acc
nothing 'not implemented yet' JobName=new Nice=5 BurstBuffer=1
nothing 'node zz is not configured' ReqNodeList=n1 ExcNodeList=zz
run scontrol update jobid="$j" Partition=acc Account=good NumNodes=2 JobName=new TimeLimit+=5 ReqNodeList=n2 Comment=hi
tap_is "$rc|$err" '0|' 'what fits together is taken'
tap_is "$(shown | sort | paste -sd' ')" "$(printf '%s\n' Account=good Comment=hi 'ExcNodeList=(null)' 'Features=(null)' JobName=new NumNodes=2 Partition=acc \
        Priority=0 ReqNodeList=n2 TimeLimit=00:15:00 | sort | paste -sd' ' | sed 's/NumNodes=2/NumNodes=2-2/')" 'all of it' ||
        shown
scancel "$j"

# ---- a node ----
run scontrol update nodename='n[1-2]' comment=x nodeaddr=a1,a2 nodehostname=h1,h2,h3
tap_like "$rc|$err" '^1\|.*nodecount mismatch' 'a list that is too long'
tap_is "$(scontrol show node n1 | grep -cE 'Comment=x|NodeAddr=a1')" 0 '... and nothing of the rest is done'
run scontrol update nodename=n1 state=down comment=x weight=7
tap_like "$rc|$err" '^1\|' 'DOWN wants a reason'
tap_is "$(scontrol show node n1 | grep -cE 'Comment=x|Weight=7')" 0 '... and nothing of the rest is done'

# ---- a partition ----
part() { scontrol -o show partition "$1" | tr ' ' '\n' | grep "^$2=" ; }
before=$(scontrol show partition small)
run scontrol update partitionname=small MaxTime=5 PriorityTier=9 Default=YES Nodes=n2 LLN=maybe
tap_like "$rc|$err" '^1\|.*LLN=maybe: YES or NO was expected' 'a partition: refused'
tap_is "$(scontrol show partition small)" "$before" '... and it is as it was'
tap_is "$(part main Default)" Default=YES '... so is the default one'
run scontrol update partitionname=small Nodes=zz
tap_like "$rc|$err" '^1\|.*node zz is not configured' 'an unknown node is refused'

r=$(sbatch -Q --parsable -p small -w n1 --exclusive -o /dev/null --wrap 'exec sleep 1000')
wait_job 20 "$r" RUNNING
w=$(sbatch -Q --parsable -p small --exclusive -o /dev/null --wrap 'exec sleep 1000')
wait_for 20 eval '[ "$(job_show $w %r)" = Resources ]'
tap_ok $? 'the only node of small is busy'
run scontrol update partitionname=small Nodes='n[2-3]'
tap_is "$rc|$err|$(part small Nodes)|$(part small TotalNodes)" '0||Nodes=n[2-3]|TotalNodes=2' 'small has other nodes'
wait_job 20 "$w" RUNNING
tap_is "$(job_show "$w" %N) $(job_show "$r" '%T %N')" 'n2 RUNNING n1' 'a job that waited starts there, a running one stays'
tap_is "$(sinfo -h -p small -o %N)|$(sinfo -h -N -n n1 -o %P | sort | paste -sd,)" 'n[2-3]|acc,main*' 'sinfo knows'
run scontrol update partitionname=small Nodes+=n1 Nodes-=n2
tap_is "$rc|$err|$(part small Nodes)|$(job_show "$w" '%T %N')" '0||Nodes=n[1,3]|RUNNING n2' 'Nodes+= and Nodes-='
run scontrol update partitionname=small Nodes=
tap_is "$rc|$err|$(part small TotalNodes)" '0||TotalNodes=0' 'and none'
ctld_kill9
ctld_start && wait_job 20 "$r" RUNNING
tap_is "$?|$(part small Nodes)|$(job_show "$w" '%T %N')" '0|Nodes=n1|RUNNING n2' 'a restart goes by slurm.conf; jobs keep their nodes'
scancel "$r" "$w"
wait_for 20 no_jobs
tap_ok $? 'and end'

# ---- partitions that scontrol makes ----
run scontrol create partitionname=extra Nodes=n2 MaxTime=1:00:00 LLN=maybe
tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|.*LLN=maybe: YES or NO was expected.*Error creating the partition: Invalid' 'create: a wrong value is refused'
tap_is "$(scontrol show partition extra 2>&1)" 'Partition extra not found' '... and there is none'
for name in main 'a/b' DEFAULT; do
        run scontrol create partitionname="$name"
        tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|.*Error creating the partition: Invalid partition name' "... a partition $name too"
done
run scontrol create partition=extra Nodes=n1 MaxTime=60
tap_is "$rc|$out$err" '0|' 'a partition is created'
tap_is "$(scontrol show partition extra)" "$(scontrol show partition small | sed 's/small/extra/')" '... like one of slurm.conf' ||
        diff <(scontrol show partition extra) <(scontrol show partition small)
srun -p extra -n1 true
tap_ok $? 'a job runs there'
j=$(sbatch -Q --parsable -p extra -o /dev/null --wrap 'exec sleep 1000')
k=$(sbatch -Q --parsable -p extra -H -o /dev/null --wrap true)
wait_job 20 "$j" RUNNING
run scontrol delete partitionname=extra
tap_like "$rc|$(paste -sd' ' <<<"$err")" "^1\|.*job $j is in it.*delete_partition partitionname=extra: Partition is in use" 'one with jobs cannot be deleted'
run scontrol delete foo=bar
tap_is "$rc|$err" '1|Invalid deletion entity: foo=bar' 'what cannot be deleted'
run scontrol create foo=bar
tap_is "$rc|$err" '1|scontrol: error: Invalid creation entity: foo=bar' '... or created'
left() { part extra State; part extra TotalNodes; }
scontrol reconfigure
tap_is "$(left | paste -sd,)|$(job_state "$j")|$(job_state "$k")" 'State=INACTIVE,TotalNodes=0|RUNNING|PENDING' 'after a reconfigure its jobs keep it, without nodes'
ctld_kill9
ctld_start
tap_is "$(left | paste -sd,)|$(job_state "$j")|$(job_state "$k")" 'State=INACTIVE,TotalNodes=0|RUNNING|PENDING' '... and after kill -9'
scontrol update jobid="$k" partition=small
scancel "$j"
wait_job 20 "$j" CANCELLED
run scontrol delete partition extra
tap_is "$rc|$err|$(scontrol show partition extra 2>&1)" '0||Partition extra not found' 'then it can go'
tap_is "$(job_state "$k")" PENDING '... and the job that was moved stays'
scontrol create partitionname=extra Nodes=ALL
scontrol reconfigure
tap_is "$(scontrol show partition extra 2>&1)" 'Partition extra not found' 'one without jobs is gone after a reconfigure'
scancel "$k"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
