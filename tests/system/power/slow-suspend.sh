#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A SuspendProgram that needs longer than SuspendTimeout: its node is still up when that has passed, and yet to lose its power.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
program_conf n1 SuspendTimeout=1 ResumeTimeout=60

ctld_start && scontrol power up n1 && wait_for 20 grep -q 'n1 on' calls && agent_start n1 -b && wait_nodes 20 n1 idle
tap_ok $? 'a node is up' || { cluster_logs; tap_done; }
clock_ticks
scontrol power down n1
wait_for 20 said 'Node n1: settled, POWERING_DOWN -> POWERED_DOWN'
tap_ok $? 'SuspendTimeout has passed, and its SuspendProgram still runs'
wait_for 20 said 'Registration not accepted yet: node n1 is POWERED_DOWN since 20[-0-9T:]*, and this is an earlier boot'
tap_is "$? $(sinfo -h -N -n n1 -o %t)" '0 idle~' 'its agent, which lives on, is not believed'
j=$(sbatch --parsable -w n1 -o /dev/null --wrap true)
wait_for 20 eval '[ "$(grep -c "n1 on" calls)" = 2 ]'
tap_is "$? $(job_state "$j")" '0 CONFIGURING' 'a job for it has it woken, and does not start on what is about to be switched off'
scancel "$j"
release
wait_for 20 said 'SuspendProgram for n1 is done'
tap_ok $? 'the program ends'
agent_kill9 n1
agent_start n1 -b
wait_nodes 20 n1 idle
tap_ok $? 'the next boot is believed'

rm -f go
: >log/ctld
clock_ticks
scontrol power down n1
wait_for 20 said 'Registration not accepted yet: node n1 is POWERED_DOWN since'
tap_ok $? 'once more'
release
wait_nodes 30 n1 idle
tap_is "$? $(tail -n 1 calls)" '0 n1 is off' 'a program that has switched nothing off: its node is back when that has ended'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
