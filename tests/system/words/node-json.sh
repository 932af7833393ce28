#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A node as JSON has Slurm's keys where Slurm has one, and says what scontrol show node says.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' RebootProgram=/bin/true SelectTypeParameters=CR_Core_Memory
cluster_up 'two nodes' n1 n2
told() { # NODE KEY...: their values; "-" where there is no such key
        scontrol --json show node "$1" | /usr/bin/python3 -c 'import json, sys
n = json.load(sys.stdin)["nodes"][0]
print(*(json.dumps(n.get(k, "-")) for k in sys.argv[1:]))' "${@:2}"
}
job=$(sbatch --parsable -w n1 --mem=100 --exclusive=user -o /dev/null --wrap 'sleep 100')
wait_job 10 "$job" RUNNING
tap_is "$(told n1 tres tres_used alloc_cpus alloc_idle_cpus alloc_memory owner)" \
        "\"cpu=4,mem=1000M,billing=4\" \"cpu=1,mem=100M\" 1 3 100 \"$(id -un)\"" 'what a node has and what of it is used'
tap_is "$(told n2 tres_used alloc_idle_cpus owner)" '"" 4 ""' 'and of one without jobs'
tap_is "$(scontrol show node n1 | grep -o '[A-Za-z]*TRES=.*' | paste -sd' ')" 'CfgTRES=cpu=4,mem=1000M,billing=4 AllocTRES=cpu=1,mem=100M' \
        'scontrol show node says the same'
tap_is "$(told n1 next_state_after_reboot)" '["INVALID"]' 'no reboot was asked for'
run scontrol reboot asap nextstate=DOWN n1
tap_is "$rc $(told n1 next_state_after_reboot) $(scontrol show node n1 | grep -o 'NextState=.*')" '0 ["DOWN"] NextState=DOWN' 'what it will be after its reboot'
tap_is "$(told n1 next tres_alloc alike n_alike billing clock_set)" '"-" "-" "-" "-" "-" "-"' 'what is between the controller and its clients is not told'
scancel "$job"
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
