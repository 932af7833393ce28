#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A node is taken out of slurm.conf and put back while its SuspendProgram runs: it is on its way off still.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
conf() { # NODES [LINE...]
        program_conf "$1" SuspendTimeout=15 ResumeTimeout=60 "${@:2}"
}
plain() { conf "$1" && sed -i 's/ State=CLOUD//' slurm.conf; }
waits() { said "Node $1 is not switched on yet: its SuspendProgram still runs"; }

conf 'n[1-3]'
ctld_start && scontrol power down force n1 && wait_for 20 grep -q 'n1 off' calls
tap_ok $? 'a node is going off' || { cluster_logs; tap_done; }
conf n3
run scontrol reconfigure
tap_is "$rc $(sinfo -h -N -o %N)" '0 n3' 'it is taken out of the configuration'
conf 'n[1-3]'
run scontrol reconfigure
tap_is "$rc $(sinfo -h -N -n n1 -o %t)" '0 idle%' 'it is put back: its SuspendProgram is not forgotten'
scontrol power up n1
wait_for 40 waits n1
tap_is "$? $(xargs <calls)" '0 n1 off' 'SuspendTimeout has passed: it is not switched on while that runs'
release
wait_for 20 grep -q 'n1 on' calls
tap_is "$? $(xargs <calls)" '0 n1 off n1 is off n1 on' '... but when it has ended'

# ---- no cloud's; the controller is killed in between ----
rm go calls
plain 'n[1-3]'
run scontrol reconfigure
agent_start n2 && wait_nodes 20 n2 idle
tap_ok $? 'another node is up, which is no cloud node any more'
scontrol power down n2 && wait_for 20 grep -q 'n2 off' calls
tap_is "$? $(sinfo -h -N -n n2 -o %t)" '0 idle%' 'it is going off'
conf n3
run scontrol reconfigure
ctld_kill9
plain 'n[1-3]'
: >log/ctld
ctld_start && wait_for 20 said 'Registration not accepted yet: node n2 is POWERING_DOWN since'
tap_is "$? $(sinfo -h -N -n n2 -o %t)" '0 idle%' 'it is put back: its agent is not believed'
j=$(sbatch --parsable -w n2 -o /dev/null --wrap true)
release
wait_for 40 grep -q 'n2 on' calls
tap_is "$? $(xargs <calls)" '0 n2 off n2 is off n2 on' 'a job has it switched on when it is off'
scancel "$j"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
