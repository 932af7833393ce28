#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SlurmdTimeout is changed while agents are connected: a silent one is noticed within the new one, the others stay.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' ReturnToService=0
cd "$DIR" || exit 1
cluster_up 'two nodes are idle, SlurmdTimeout is 300 s' n1 n2

echo SlurmdTimeout=9 >>slurm.conf
kill -STOP "$(cat run/n2.pid)"
at_exit eval 'kill -CONT "$(cat run/n2.pid)" 2>/dev/null'
run scontrol reconfigure
began=$EPOCHSECONDS
tap_is "$rc$err" 0 'SlurmdTimeout becomes 9 s, an agent does not hear of it'
wait_nodes 40 n2 'down[*]'
tap_ok $? "that one's node is down after $((EPOCHSECONDS - began)) s" || cluster_logs
wait_for 30 eval '[ $((EPOCHSECONDS - began)) -ge 20 ]' # by then the other one has been asked twice
tap_is "$(sinfo -h -n n1 -o %t) $(grep -c 'Agent n1 has been silent' log/ctld)" 'idle 0' 'the other agent has heard of it: its node stays'

kill -CONT "$(cat run/n2.pid)"
sed -i 's/^SlurmdTimeout=.*/SlurmdTimeout=0/' slurm.conf
run scontrol reconfigure
tap_is "$rc$err" 0 'it becomes 0: never'
kill -STOP "$(cat run/ctld.pid)"
began=$EPOCHSECONDS
wait_for 30 eval '[ $((EPOCHSECONDS - began)) -ge 11 ]'
kill -CONT "$(cat run/ctld.pid)"
run scontrol ping
tap_is "$rc $(grep -c 'does not answer' log/n1)" '0 0' 'an agent waits for its controller, however long that stands still'
sed -i 's/^SlurmdTimeout=.*/SlurmdTimeout=300/' slurm.conf
run scontrol reconfigure
tap_is "$rc$err" 0 'it becomes 300 s again'
cluster_sound
tap_ok $? 'no daemon complains of itself'
tap_done
