#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun while daemons are killed: its step goes on, and neither a byte of its streams nor its exit code is lost.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' KillWait=1
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
empty() { [ -z "$(squeue -h)" ]; }
larger() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]; }
registered() { [ "$(grep -c "Node $1 registered" log/ctld)" -gt "$2" ]; }
restart_agent() { # NODE: kill -9, and a new one that is registered
        local before
        before=$(grep -c "Node $1 registered" log/ctld)
        agent_kill9 "$1" && agent_start "$1" && wait_for 20 registered "$1" "$before"
}
# 4 MB of numbered lines from each task, slowly enough to be interrupted
cat >lines <<'END_OF_TASK'
#!/bin/bash
for ((k = 0; k < 40; k++)); do seq $((k * 12500 + 1)) $((k * 12500 + 12500)); sleep 0.02; done
exit 3
END_OF_TASK
chmod +x lines
seq 500000 >lines.all

# ---- slumberd ----
srun -w n1 ./lines </dev/null >agent.out 2>agent.err &
pid=$!
for size in 100000 500000 1000000; do
        wait_for 20 larger agent.out $size && restart_agent n1
done
wait $pid
tap_is "$?|$(cmp agent.out lines.all 2>&1)" '3|' "output and exit code while the node's slumberd is killed three times" || sed 's/^/# /' agent.err
(cat lines.all; touch fed) | srun -w n1 -N1 sh -c 'touch reads; while read -r l; do echo "$l"; done; exit 4' >in.out 2>in.err &
pid=$!
for size in 100000 300000; do
        wait_for 20 larger in.out $size && restart_agent n1
done
wait $pid
tap_is "$?|$(cmp in.out lines.all 2>&1)" '4|' 'so does standard input' || sed 's/^/# /' in.err

wait_for 20 empty
tap_ok $? 'no job is left'
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'the nodes are idle'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
