#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A SuspendProgram that needs longer than SuspendTimeout: its node is still up when that has passed, and yet to lose its power.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/cluster.sh"
release() { : >"$DIR/go"; }
at_exit cluster_end
at_exit release
cd "$DIR" || exit 1
cat >suspend <<END
#!/bin/sh
until [ -e "$DIR/go" ]; do sleep 0.05; done
echo "\$1" >>"$DIR/suspended"
END
printf '#!/bin/sh\necho "$1" >>%s\n' "$DIR/resumed" >resume
chmod 755 resume suspend
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=1 ResumeTimeout=60
clock_ticks() { # boot times count by whole seconds
        local now; now=$(date +%s)
        wait_for 5 eval '[ "$(date +%s)" -gt '"$now"' ]'
}
said() { grep -q "$1" "$DIR/log/ctld"; }

ctld_start && scontrol power up n1 && wait_for 20 test -e resumed && agent_start n1 -b && wait_nodes 20 n1 idle
tap_ok $? 'a node is up' || { cluster_logs; tap_done; }
clock_ticks
scontrol power down n1
wait_for 20 said 'Node n1: settled, POWERING_DOWN -> POWERED_DOWN'
tap_ok $? 'SuspendTimeout has passed, and its SuspendProgram still runs'
wait_for 20 said 'Registration not accepted yet: node n1 is POWERED_DOWN since, and this is an earlier boot'
tap_is "$? $(sinfo -h -N -n n1 -o %t)" '0 idle~' 'its agent, which lives on, is not believed'
j=$(sbatch --parsable -w n1 -o /dev/null --wrap true)
wait_for 20 eval '[ "$(wc -l <resumed)" = 2 ]'
tap_is "$? $(job_state "$j")" '0 CONFIGURING' 'a job for it has it woken, and does not start on what is about to be switched off'
scancel "$j"
release
wait_for 20 said 'SuspendProgram for n1 is done'
tap_ok $? 'the program ends'
agent_kill9 n1
agent_start n1 -b
wait_nodes 20 n1 idle
tap_ok $? 'the next boot is believed'

rm -f go suspended
: >log/ctld
clock_ticks
scontrol power down n1
wait_for 20 said 'Registration not accepted yet: node n1 is POWERED_DOWN since'
tap_ok $? 'once more'
release
wait_nodes 30 n1 idle
tap_is "$? $(cat suspended)" '0 n1' 'a program that has switched nothing off: its node is back when that has ended'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
