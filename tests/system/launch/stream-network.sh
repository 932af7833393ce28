#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Streams of steps between nodes with a network of their own: where packets are dropped, a step goes by the controller soon; so does what a
# slumberd on the way has that stands still.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/spaces.sh
. "$(dirname "$0")/../spaces.sh"

spaces_up
spaces_conf TreeWidth=2 SlurmdTimeout=60
cd "$DIR" || exit 1
ctld_start && for i in {1..8}; do agent_start n$i; done && wait_nodes 20 'n[1-8]' idle
tap_ok $? 'controller and eight nodes with a network' || { cluster_logs; tap_done; }
larger() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -ge "$2" ]; }
export SLUMBER_SOCKET=$DIR/n8.sock

# ---- packets are dropped ----
drop() { ip -n "$SPACE-n8" neigh replace "10.78.0.1$1" lladdr 02:00:00:00:00:99 dev eth0 nud permanent; }
drop 1
srun -w n1 sh -c 'head -c 200000 /dev/zero; until [ -e end ]; do sleep 0.05; done' </dev/null >drop.out 2>drop.err &
pid=$!
wait_for 30 larger drop.out 200000
tap_is "$?|$(cat log/n1 log/n8 | grep -c 'no connection in time')" '0|0' 'output does not wait until the connection is given up'
touch end
wait $pid
tap_ok $? 'the step ends well' || sed 's/^/# /' drop.err
tap_is "$(head -c 200000 /dev/zero | srun -w n1 -N1 wc -c)" 200000 'so does input'

# ---- a slumberd on the way stands still ----
# n1 and n2 have n8's slumberd as parent, n3 and n4 have n1's
cat >talk <<'END_OF_TASK'
#!/bin/bash
echo begin
until [ -e stopped ]; do sleep 0.05; done
[ $SLURM_NODEID = 0 ] || seq 20000
until [ -e continued ]; do sleep 0.05; done
END_OF_TASK
chmod +x talk
srun -w 'n[2-6]' --label ./talk </dev/null >stand.out 2>stand.err &
pid=$!
begun() { [ "$(grep -c begin stand.out)" = 5 ]; }
wait_for 20 begun
below_n2() { [ "$(nsenter "--net=/run/netns/$SPACE-n2" ss -Htn state established sport = :6818 | wc -l)" -ge 2 ]; }
wait_for 20 below_n2
pid_n2=$(cat run/n2.pid)
kill -STOP "$pid_n2"
touch stopped
rest() { [ "$(grep -c ': 20000$' stand.out)" = 4 ]; }
wait_for 30 rest
tap_ok $? 'nodes below a slumberd that stands still go on without it' || tail -n 3 stand.out | sed 's/^/# /'
kill -CONT "$pid_n2"
touch continued
wait $pid
tap_ok $? 'the step ends well when it goes on' || sed 's/^/# /' stand.err
tap_is "$(wc -l <stand.out)" $((5 + 4 * 20000)) 'all lines have come once'

cluster_sound
tap_ok $? 'no daemon has a bug'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
