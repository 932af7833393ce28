#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Within GraceTime: EndTime of the job that must go is the end of that, whatever becomes of its time limit, also when it has been
# suspended meanwhile; StartTime of the one that waits for it is the same.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 PreemptType=preempt/partition_prio PreemptMode=CANCEL 'PartitionName=low Nodes=n1 Default=YES PriorityTier=1 GraceTime=600' \
        'PartitionName=high Nodes=n1 PriorityTier=2'
cluster_up 'a node' n1
of() { scontrol show job "$1" | grep -o "\b$2=[^ ]*" | cut -d= -f2; }
v=$(sbatch --parsable -o /dev/null -n4 --wrap 'sleep 1000')
wait_job 10 "$v" RUNNING
tap_is "$(of "$v" EndTime)" Unknown 'a job that may run for ever'
j=$(sbatch --parsable -o /dev/null -p high -n4 -t 5 --wrap true)
wait_for 10 eval '[ "$(of "$v" PreemptTime)" != None ]'
end=$(of "$v" EndTime)
tap_is "$(date -d "$end" +%s)" "$(($(date -d "$(of "$v" PreemptTime)" +%s) + 600))" 'one that is preempted ends when GraceTime does'
wait_for 10 eval '[ "$(of "$j" StartTime)" != Unknown ]'
tap_is "$(of "$j" StartTime)" "$end" '... and then the other starts'
for limit in 60 UNLIMITED 1-0; do
        scontrol update jobid="$v" timelimit=$limit
        tap_is "$(of "$v" EndTime)" "$end" "... also with TimeLimit=$limit"
done
scontrol suspend "$v" && wait_job 10 "$v" SUSPENDED
scancel "$j"
scontrol resume "$v" && wait_job 10 "$v" RUNNING
tap_is "$(of "$v" EndTime)" "$end" '... after it has been suspended'
scontrol update jobid="$v" timelimit=3
tap_is "$(($(date -d "$(of "$v" EndTime)" +%s) < $(date -d "$end" +%s)))" 1 'a limit that is sooner over counts'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
