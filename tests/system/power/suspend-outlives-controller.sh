#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A SuspendProgram that outlives its controller: the next one knows that its node is yet to lose its power.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
program_conf n1 SuspendTimeout=1 ResumeTimeout=60
power_down() { # and its program starts
        rm -f go
        : >log/ctld
        clock_ticks
        scontrol power down n1
        wait_for 20 said 'Node n1: settled, POWERING_DOWN -> POWERED_DOWN'
}

ctld_start && scontrol power up n1 && wait_for 20 grep -q 'n1 on' calls && agent_start n1 -b && wait_nodes 20 n1 idle
tap_ok $? 'a node is up' || { cluster_logs; tap_done; }
power_down
tap_ok $? 'SuspendTimeout has passed, and its SuspendProgram still runs'
ctld_kill9
ctld_start && said 'SuspendProgram for n1 (process [0-9]*), which an earlier controller had started, still runs'
tap_ok $? 'the controller was killed: the next one finds the program'
wait_for 20 said 'Registration not accepted yet: node n1 is POWERED_DOWN since 20[-0-9T:]*, and this is an earlier boot'
tap_is "$? $(sinfo -h -N -n n1 -o %t)" '0 idle~' 'its agent, which lives on, is not believed'
ctld_stop
: >log/ctld
ctld_start && wait_for 20 said 'Registration not accepted yet: node n1 is POWERED_DOWN since 20[-0-9T:]*, and this is an earlier boot'
tap_is "$? $(sinfo -h -N -n n1 -o %t)" '0 idle~' 'nor by the one after that'
release
wait_for 20 said 'SuspendProgram for n1 (process [0-9]*), which an earlier controller had started, has ended' && wait_nodes 30 n1 idle
tap_is "$? $(tail -n 1 calls)" '0 n1 is off' 'it has switched nothing off: its node is back when it has ended'

power_down
ctld_kill9
release
wait_for 20 gone "$(cat suspend.pid)"
: >log/ctld
ctld_start && wait_nodes 30 n1 idle
tap_ok $? 'one that ends while there is no controller is not waited for'
said 'SuspendProgram for n1 .* still runs'
tap_is $? 1 '... nor found'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
