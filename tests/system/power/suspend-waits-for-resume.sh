#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A boot is ended by force: its SuspendProgram is not run while its ResumeProgram still is, for a while.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
program_conf 'n[1-2]' SuspendTimeout=15 ResumeTimeout=300
program suspend off
program resume on 'is on'
waits='Node n1 is not switched off yet: its ResumeProgram still runs'
why() { scontrol show power n1 | grep -q 'waits for its ResumeProgram, which still runs'; }

ctld_start && scontrol power up n1 && wait_for 20 grep -q 'n1 on' calls && scontrol power down force n1
tap_ok $? 'a node is to go on, and off again at once' || { cluster_logs; tap_done; }
wait_for 20 said "$waits" && why
tap_is "$? $(xargs <calls) $(sinfo -h -N -n n1 -o %t)" '0 n1 on idle!' 'its ResumeProgram is waited for, and show power says so'
ctld_kill9
: >log/ctld
ctld_start && wait_for 20 said "$waits"
tap_is "$? $(xargs <calls)" '0 n1 on' '... also by the next controller'
release
wait_for 20 grep -q 'n1 off' calls
tap_is "$? $(xargs <calls)" '0 n1 on n1 is on n1 off' 'when it has ended the node is switched off'
rm go calls
scontrol power up n2 && wait_for 20 grep -q 'n2 on' calls && scontrol power down force n2 && wait_for 40 grep -q 'n2 off' calls
tap_is "$? $(xargs <calls)" '0 n2 on n2 off' 'one that hangs is not waited for beyond SuspendTimeout'
said 'Node n2 is switched off although its ResumeProgram still runs, SuspendTimeout after its start'
tap_ok $? 'which is told'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
