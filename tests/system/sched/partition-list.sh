#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several partitions for a job (-p a,b): it starts in the first of them where it can, is shown with its list while it waits and
# with the one partition when it runs, keeps the list over crash and requeue, and can be given another one.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

conf() {
        cluster_conf 'n[1-3]' 'PartitionName=lo Nodes=ALL Default=YES DefaultTime=10 MaxTime=60
PartitionName=hi Nodes=n1 PriorityTier=10 PriorityJobFactor=50 DefaultTime=5 MaxTime=30
PartitionName=closed Nodes=ALL AllowAccounts=nobody
PartitionName=down Nodes=n2 State=DOWN' PriorityType=priority/multifactor PriorityWeightPartition=1000 "$@"
}
conf
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
for n in n1 n2 n3; do agent_start $n; done
wait_nodes 20 'n[1-3]' idle
tap_ok $? 'three nodes'

field() { scontrol -o show job "$1" | tr ' ' '\n' | grep "^$2=" | cut -d= -f2-; }
# shellcheck disable=SC2016
add() { sbatch --parsable --exclusive --requeue "$@" --wrap 'echo $SLURM_JOB_PARTITION; exec sleep 1000'; }

a=$(add -p lo,hi -o a.out)
wait_job 20 "$a" RUNNING
tap_is "$?|$(job_show "$a" '%P %N %l')" '0|hi n1 5:00' 'the higher tier first, with the time limit of where it is'
wait_for 20 test -s a.out
tap_is "$(cat a.out)" hi 'and the job knows where it is'
b=$(add -p hi,lo -N2 -t 3)
wait_job 20 "$b" RUNNING
tap_is "$?|$(job_show "$b" '%P %N')" '0|lo n[2-3]' 'where it does not fit, elsewhere'
k=$(add -p lo,hi,down)
wait_for 20 eval '[ "$(job_show "$k" %r)" = Resources ]'
tap_is "$?|$(job_show "$k" '%P %T')|$(field "$k" Partition)" '0|lo,hi,down PENDING|lo,hi,down' 'it waits, with its list'
tap_is "$(squeue -h -p hi -o %i | sort -n | tr '\n' ' ')" "$a $k " 'squeue -p finds it in each'
tap_is "$(sprio -h -j "$k" -o '%i %r %Y' | tr -s ' ' | sort | tr '\n' ';')" "$k down 20;$k hi 1000;$k lo 20;" 'a priority for each'
wait_for 20 eval '[ "$(squeue -h --start -j "$k" -o %S)" != N/A ]'
tap_is "$?|$(squeue -h --start -j "$k" -o '%S')" "0|$(squeue -h -j "$b" -o %e)" 'it is expected where it can start first'
wait_for 20 eval 'scontrol show job "$k" | grep -q "SchedNodeList=n2"'
tap_ok $? 'on its node'
ctld_kill9
ctld_start
tap_is "$(job_show "$k" '%P %T')|$(job_show "$a" '%P %T')" 'lo,hi,down PENDING|hi RUNNING' 'the list is there after a crash'
wait_nodes 20 'n[1-3]' allocated
scontrol requeuehold "$a"
wait_job 20 "$a" PENDING
tap_is "$?|$(job_show "$a" %P)" '0|lo,hi' 'a requeue gives the list back'
wait_job 20 "$k" RUNNING
tap_is "$?|$(job_show "$k" '%P %N')" '0|hi n1' 'and the next one has its node'
run scontrol update jobid="$a" partition=lo,nope
tap_is "$rc|$err|$(job_show "$a" %P)" "1|Invalid partition name specified for job $a|lo,hi" 'an unknown one is refused, and all stays'
scontrol update jobid="$a" partition=down,closed
tap_is "$?|$(job_show "$a" %P)" '0|down,closed' 'another list'
scancel -p closed -t PENDING
wait_job 20 "$a" CANCELLED
tap_ok $? 'scancel -p finds it too'
run sbatch -p lo,nope --wrap true
tap_is "$rc|$err" '1|sbatch: error: invalid partition specified: nope
sbatch: error: Batch job submission failed: Invalid partition name specified' 'an unknown partition in the list'
j=$(add -H -p closed,lo)
tap_is "$(job_show "$j" %P)" lo 'one that does not admit it is taken off the list'
scancel "$j"
l=$(sbatch --parsable -p lo,hi --array 1-2 --exclusive --wrap true -o /dev/null)
tap_is "$(job_show "$l" '%i %P' | head -n 1)" "${l}_[1-2] lo,hi" 'an array'
scancel "$b"
wait_job 20 "${l}_1" COMPLETED && wait_job 20 "${l}_2" COMPLETED
tap_is "$(job_show "$l" '%P' | sort -u)" lo 'runs in the other partition'
scancel "$k"
wait_nodes 20 'n[1-3]' idle

conf EnforcePartLimits=ALL
scontrol reconfigure
wait_for 20 eval 'scontrol show config | grep -q "^EnforcePartLimits *= ALL$"'
run sbatch -p lo,hi -t 40 --wrap true
tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)' \
        'EnforcePartLimits=ALL: within the limits of each'
conf EnforcePartLimits=ANY
scontrol reconfigure
wait_for 20 eval 'scontrol show config | grep -q "^EnforcePartLimits *= ANY$"'
j=$(add -p lo,hi -t 40 -N1 -w n1)
wait_job 20 "$j" RUNNING
tap_is "$?|$(job_show "$j" '%P %N')" '0|lo n1' 'ANY: of one'
run sbatch -p lo,hi -t 70 --wrap true
tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)' 'and not of none'
out=$(sbatch --test-only -p hi,lo -N2 --exclusive --wrap true 2>&1)
tap_like "$out" 'to start at .* on nodes n\[2-3\] in partition lo' '--test-only says where'
# shellcheck disable=SC2016
run srun -I -p hi,lo --exclusive -N1 sh -c 'echo $SLURM_JOB_PARTITION'
tap_is "$rc|$out" '0|lo' 'srun -I starts where there is room now'
scancel "$j"
wait_nodes 20 'n[1-3]' idle

cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
