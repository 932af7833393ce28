#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes with hanging SuspendPrograms are to be switched on all the same, and ResumeRate lets one pass: nothing
# is reported of the other one yet.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
program_conf 'n[1-2]' SuspendTimeout=4 ResumeTimeout=300 SuspendRate=0 ResumeRate=6
waits() { grep -q "Node $1 is not switched on yet: its SuspendProgram still runs" log/ctld; }
on() { [ "$(grep -c ' on$' calls)" = 2 ]; }
told() { grep -o "Node $1 is switched on although" log/ctld | wc -l; }

ctld_start && scontrol power down force n1,n2 && wait_for 20 grep -q 'off' calls && scontrol power up n1,n2 && wait_for 20 waits n1 && wait_for 20 waits n2
tap_ok $? 'two nodes are to be switched on again, and wait for their SuspendPrograms' || { cluster_logs; tap_done; }
wait_for 60 on
tap_is "$? $(grep ' on$' calls | sort | xargs)" '0 n1 on n2 on' 'both hang; ResumeRate lets the nodes pass one after the other'
tap_is "$(told n1) $(told n2)" '1 1' 'of each it is told once, when it is switched on'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
