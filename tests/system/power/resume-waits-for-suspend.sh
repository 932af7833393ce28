#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A ResumeProgram is not run while a SuspendProgram of the same node is: they would fight over its BMC.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
program_conf 'n[1-2]' SuspendTimeout=8 ResumeTimeout=60
waits='Node n1 is not switched on yet: its SuspendProgram still runs'
why() { scontrol show power n1 | grep -q 'waits for its SuspendProgram, which still runs'; }

ctld_start && scontrol power down force n1 && wait_for 20 grep -q 'n1 off' calls && scontrol power up n1
tap_ok $? 'a node is to go off, and on again' || { cluster_logs; tap_done; }
wait_for 20 said "$waits" && why
tap_is "$? $(cat calls)" '0 n1 off' 'SuspendTimeout has passed: its SuspendProgram is waited for, and show power says so'
ctld_kill9
: >log/ctld
ctld_start && { scontrol power up n1; wait_for 20 said "$waits"; }
tap_is "$? $(cat calls)" '0 n1 off' '... also by the next controller'
release
wait_for 20 grep -q 'n1 on' calls
tap_is "$? $(tr '\n' ' ' <calls)" '0 n1 off n1 is off n1 on ' 'when it has ended the node is switched on'
rm go calls
scontrol power down n2
j=
wait_for 20 grep -q 'n2 off' calls && wait_for 20 said 'Node n2: settled' && j=$(sbatch --parsable -w n2 -o /dev/null --wrap true) &&
        wait_for 30 grep -q 'n2 on' calls
tap_is "$? $(tr '\n' ' ' <calls)" '0 n2 off n2 on ' 'one that hangs is waited for as long again as SuspendTimeout'
said 'Node n2 is switched on although its SuspendProgram still runs, twice SuspendTimeout after its start'
tap_is "$? $(job_state "$j")" '0 CONFIGURING' 'which is told'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
