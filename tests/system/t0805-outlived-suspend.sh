#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A SuspendProgram that outlives its controller: the next one knows that its node is yet to lose its power.
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
echo \$\$ >"$DIR/program"
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
power_down() { # and its program starts
        rm -f go
        : >log/ctld
        clock_ticks
        scontrol power down n1
        wait_for 20 said 'Node n1: settled, POWERING_DOWN -> POWERED_DOWN'
}

ctld_start && scontrol power up n1 && wait_for 20 test -e resumed && agent_start n1 -b && wait_nodes 20 n1 idle
tap_ok $? 'a node is up' || { cluster_logs; tap_done; }
power_down
tap_ok $? 'SuspendTimeout has passed, and its SuspendProgram still runs'
ctld_kill9
ctld_start && said 'SuspendProgram for n1 (process [0-9]*), which the last controller had started, still runs'
tap_ok $? 'the controller was killed: the next one finds the program'
wait_for 20 said 'Registration not accepted yet: node n1 is POWERED_DOWN since, and this is an earlier boot'
tap_is "$? $(sinfo -h -N -n n1 -o %t)" '0 idle~' 'its agent, which lives on, is not believed'
ctld_stop
: >log/ctld
ctld_start && wait_for 20 said 'Registration not accepted yet: node n1 is POWERED_DOWN since, and this is an earlier boot'
tap_is "$? $(sinfo -h -N -n n1 -o %t)" '0 idle~' 'nor by the one after that'
release
wait_for 20 said 'SuspendProgram for n1 (process [0-9]*), which the last controller had started, has ended' && wait_nodes 30 n1 idle
tap_is "$? $(cat suspended)" '0 n1' 'it has switched nothing off: its node is back when it has ended'

power_down
ctld_kill9
release
wait_for 20 gone "$(cat program)"
: >log/ctld
ctld_start && wait_nodes 30 n1 idle
tap_ok $? 'one that ends while there is no controller is not waited for'
said 'SuspendProgram for n1 .* still runs'
tap_is $? 1 '... nor found'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
