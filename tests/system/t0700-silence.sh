#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SlurmdTimeout is changed while agents are connected: a silent one is noticed within the new one, the others stay.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' ReturnToService=0
cd "$DIR" || exit 1
cluster_up 'two nodes are idle, SlurmdTimeout is 300 s' n1 n2

echo SlurmdTimeout=3 >>slurm.conf
kill -STOP "$(cat run/n2.pid)"
at_exit eval 'kill -CONT "$(cat run/n2.pid)" 2>/dev/null'
run scontrol reconfigure
began=$EPOCHSECONDS
tap_is "$rc$err" 0 'SlurmdTimeout becomes 3 s, an agent does not hear of it'
wait_nodes 15 n2 'down[*]'
tap_ok $? "that one's node is down after $((EPOCHSECONDS - began)) s" || cluster_logs
wait_for 10 eval '[ $((EPOCHSECONDS - began)) -ge 7 ]' # by then the other one has been asked twice
tap_is "$(sinfo -h -n n1 -o %t) $(grep -c 'Agent n1 has been silent' log/ctld)" 'idle 0' 'the other agent has heard of it: its node stays'

kill -CONT "$(cat run/n2.pid)"
sed -i 's/^SlurmdTimeout=.*/SlurmdTimeout=300/' slurm.conf
run scontrol reconfigure
tap_is "$rc$err" 0 'it becomes 300 s again'
cluster_sound
tap_ok $? 'no daemon complains of itself'
tap_done
