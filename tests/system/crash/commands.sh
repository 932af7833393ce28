#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands wait for the daemon of their host while that is restarted, and not for one that is nowhere.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
cluster_up 'a node' n1
export SLUMBER_SOCKET=$DIR/n1.sock

agent_kill9 n1
squeue -h >shown 2>said &
pid=$!
wait_for 1 gone "$pid"
tap_is "$?" 1 'squeue waits for a slumberd that was killed'
run timeout 5 scontrol ping
tap_like "$rc|$out" '^1\|Slurmctld\(primary\) at .* is DOWN' '... and scontrol ping does not'
agent_start n1
wait "$pid"
tap_is "$?|$(cat said)" '0|' '... and is answered by the next one'

run env SLUMBER_SOCKET="$DIR/nowhere/sock" squeue -h
tap_like "$rc|$err" '^1\|.*nowhere/sock: No such file or directory; is slumberd or slumberctld running' 'a daemon that is nowhere is named'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
