#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job is suspended shortly before the other node of its preemptor is expected: when that boot is late it goes on, and stands still again
# when the node is up.  (Some 20 seconds: a boot of usual length, and one that is 10 seconds late.)
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"
printf '#!/bin/sh\n:\n' >power
chmod 755 power
cluster_conf 'n1' PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PreemptParameters=suspend_grace_time=2 \
        ResumeProgram="$DIR/power" SuspendProgram="$DIR/power" SuspendTime=600 SuspendTimeout=1 ResumeTimeout=300 \
        'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' 'NodeName=c1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' \
        PartitionName= 'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n1,c1' 'PartitionName=low Default=YES PriorityTier=1' \
        'PartitionName=high PriorityTier=2'
cluster_up 'a node that is there, and one in the cloud' n1

# ---- what its boot usually takes ----
first=$(sbatch --parsable -o /dev/null -n4 -w c1 --wrap true)
wait_nodes 20 c1 allocated#
since=$(date +%s)
wait_for 20 eval "[ \$(date +%s) -gt $((since + 4)) ]"
agent_start c1 -b
wait_job 20 "$first" COMPLETED && wait_nodes 20 c1 idle
scontrol update NodeName=c1 State=POWER_DOWN && agent_stop c1 && wait_nodes 20 c1 'idle~'
tap_ok $? 'a boot of some seconds is known'

# ---- it takes longer ----
l=$(sbatch --parsable -o /dev/null -n4 -w n1 --wrap 'until [ -e enough ]; do sleep 0.02; done')
wait_job 20 "$l" RUNNING
h=$(sbatch --parsable -o /dev/null -p high -w n1,c1 -N2 -n8 --wrap 'until [ -e high ]; do sleep 0.02; done')
wait_job 20 "$l" SUSPENDED
tap_is "$?|$(squeue -h -j "$h" -o %t)" '0|CF' 'a job stands still before the node of its preemptor is up'
wait_job 30 "$l" RUNNING
tap_is "$?|$(squeue -h -j "$h" -o %t)" '0|CF' '... and goes on when that is late'
ctld_kill9 && ctld_start && wait_nodes 20 n1 allocated
tap_is "$?|$(squeue -h -S i -j "$l,$h" -o %t | xargs)" '0|R CF' '... also after kill -9 of slumberctld'
agent_start c1 -b
wait_job 20 "$h" RUNNING
tap_is "$?|$(job_state "$l")" '0|SUSPENDED' '... and stands still when that is up'
touch high
wait_job 20 "$h" COMPLETED && wait_job 20 "$l" RUNNING && touch enough && wait_job 20 "$l" COMPLETED
tap_ok $? '... and goes on to its end afterwards'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
