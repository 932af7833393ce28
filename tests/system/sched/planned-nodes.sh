#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes that the plan keeps for a job that waits: PLANNED, plnd, mix-, as sinfo, scontrol, sinfo -t and scontrol --json say it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf 'n[1-4]'
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
for k in 1 2 3 4; do agent_start n$k; done
wait_nodes 20 'n[1-4]' idle
tap_ok $? 'four nodes'

long=$(sbatch --parsable -w n1 --exclusive -t 30 --wrap 'exec sleep 1000')
part=$(sbatch --parsable -w n2 -n1 -t 10 --wrap 'exec sleep 1000')
wait_job 20 "$long" RUNNING && wait_job 20 "$part" RUNNING
tap_ok $? 'n1 is busy, n2 in part'
wide=$(sbatch --parsable -w 'n[1-3]' --exclusive -t 5 --wrap true)
wait_nodes 20 n3 planned
tap_ok $? 'a job that waits for three nodes has them planned'
run sinfo -h -N -o '%N %t %T'
tap_is "$out" 'n1 alloc allocated
n2 mix- mixed-
n3 plnd planned
n4 idle idle' 'idle, in part and busy, each in its own way'
tap_is "$(scontrol show node | sed -n 's/.* State=\([^ ]*\).*/\1/p; s/^ *State=\([^ ]*\).*/\1/p' | paste -s -d' ')" \
        'ALLOCATED MIXED+PLANNED IDLE+PLANNED IDLE' 'scontrol show node adds the word to State='
tap_is "$(sinfo -h -t planned -o %N),$(sinfo -h -N -t plnd -o %N | paste -s -d' ')" 'n[2-3],n2 n3' 'sinfo -t planned and plnd find them'
tap_is "$(sinfo -h -N -t idle -o %N | paste -s -d' ')" 'n3 n4' 'for sinfo -t idle they are idle'
tap_is "$(sinfo -h -o '%A %F' -p main | sort -u | awk '{ split($1, a, "/"); i += a[2] } END { print i }')" 2 'and so in its counts'
tap_is "$(scontrol --json show node n3 | python3 -c 'import json, sys; print(json.load(sys.stdin)["nodes"][0]["state"])')" \
        "['IDLE', 'PLANNED']" 'scontrol --json'

scancel "$wide"
wait_nodes 20 'n[3-4]' idle
tap_is "$?,$(sinfo -h -N -n n2 -o %T)" 0,mixed 'without the job nothing is planned'
wide=$(sbatch --parsable -w 'n[1-3]' --exclusive -t 5 --wrap true)
wait_nodes 20 n3 planned
ctld_kill9
ctld_start
wait_nodes 20 n3 planned
tap_ok $? 'a controller that was killed says the same again'
sed -i 's/^SelectTypeParameters=.*/&\nSchedulerType=sched\/builtin/' "$SLURM_CONF"
scontrol reconfigure
wait_nodes 20 n3 idle
tap_ok $? 'without backfill there is no plan'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
