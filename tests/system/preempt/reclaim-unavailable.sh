#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# reclaim_suspended where memory of frozen jobs cannot be pushed out: mistakes are named by file and line, the node says why it
# cannot, and suspended jobs keep their memory.  (Where it can, tests/vm/reclaim.sh does it.)
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
conf=(SelectTypeParameters=CR_Core_Memory PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PartitionName=
        'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n1' 'PartitionName=low PriorityTier=1 Default=YES' 'PartitionName=high PriorityTier=2')

refuse() { # VALUE LINE: of slumber.yaml
        cluster_conf n1 "${conf[@]}" "yaml $1"
        run "$CTLD" -D -f "$SLURM_CONF"
        tap_like "$rc $err$out" "^[1-9].*slumber.yaml line $(grep -n '^reclaim' "$DIR/slumber.yaml" | cut -d: -f1) column (18|20): $2" "$1"
}
refuse 'reclaim_suspended: low,nightly' 'reclaim_suspended: "nightly" is not a partition'
refuse 'reclaim_suspended: low high' 'reclaim_suspended: "low high" is not ALL or partitions'
refuse 'reclaim_timeout: soon' 'reclaim_timeout: "soon" is not a time'

cluster_conf n1 "${conf[@]}" 'yaml reclaim_suspended: low' 'yaml cgroup: none'
cd "$DIR" || exit 1
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node' || { cluster_logs; tap_done; }
tap_like "$(scontrol show node n1)" 'MemoryReclaim=no \(processes are stopped by none, not cgroup/v2\)' 'says why it cannot'
memory=$(scontrol show node n1 | grep -o 'RealMemory=[0-9]*' | cut -d= -f2)
v=$(sbatch --parsable --mem=$((memory * 3 / 4)) --wrap 'until [ -e enough ]; do sleep 0.02; done') && wait_job 10 "$v" RUNNING
p=$(sbatch --parsable -p high --mem=$((memory / 2)) --wrap true)
wait_for 10 eval "[ \"\$(job_show $p %r)\" = Resources ]"
tap_is "$? $(job_state "$v") $(job_state "$p")" '0 RUNNING PENDING' 'a job that needs more than is free beside a job waits for its end'
q=$(sbatch --parsable -p high --mem=$((memory / 8)) --wrap true)
scancel "$p"
wait_job 20 "$q" COMPLETED
tap_ok $? 'one that does not starts, with the other suspended or beside it'
touch enough && wait_job 20 "$v" COMPLETED
tap_ok $? 'the job has lost nothing'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
