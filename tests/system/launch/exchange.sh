#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The nodes of a step exchange data by way of their slumberds, several of which are on one host; each of these is killed with -9 meanwhile.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/exchange.sh
. "$(dirname "$0")/../exchange.sh"

at_exit cluster_end
cluster_conf 'n[1-8]' SlurmdPort=$((PORT + 1)) TreeWidth=2
ctld_start && for i in {1..8}; do exchange_agent n$i; done && wait_nodes 20 'n[1-8]' idle
tap_ok $? 'controller and eight nodes' || { cluster_logs; tap_done; }

connections() { # established ones to ports of slumberds
        ss -Htn state established | awk '{print $4}' | grep -cE ":($(cat "$DIR"/spool.n*/port | paste -sd'|'))\$"
}
tap_is "$(sort -n "$DIR"/spool.n*/port | grep -c "^$((PORT + 1))$")" 1 'one slumberd has the port of slurm.conf'
tap_is "$(grep -l "reach this one at port" "$DIR"/log/n* | wc -l)" 7 '... the others say which one they have instead'
run srun -N2 true # a wider one is launched by a tree
tap_is "$rc|$(connections)" '0|0' 'a step that exchanges nothing makes no connection'

exchange_begin 8
goes_on 'all of eight nodes exchange data'
# Of the tree 7, of neighbours 8; nodes 0 and 1 are both, and may have connected to each other at
# once. The launch needs 6, some of them others than these.
n=$(connections)
tap_ok $((n < 14 || n > 21)) "two nodes need one connection: $n"
for n in n1 n8 n2; do # the root, a leaf, one between
        agent_kill9 $n
        exchange_agent $n
        goes_on "slumberd of $n is killed: they go on"
done
for n in n1 n3; do agent_kill9 $n; done
for n in n1 n3; do exchange_agent $n; done
goes_on 'two that have each other as parent and child are killed at once'
ctld_kill9
goes_on 'the controller is not needed'
ctld_start && wait_nodes 20 'n[1-8]' 'mixed|allocated'
tap_ok $? 'the controller is back'
exchange_stop

exchange_begin 4 300000
goes_on 'parts of 300 kB'
exchange_stop

exchange_begin 8
goes_on 'another step'
scancel -f "$(squeue -h -o %i)" 2>/dev/null || scancel "$(squeue -h -o %i)"
wait_for 20 gone $RUN
tap_ok $? 'a cancelled step ends in the middle of its exchange'

cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
