#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Power saving and reboots on real agents: a node is not put to sleep in the middle of its reboot, and idles from its end on.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
printf '#!/bin/sh\nkill -KILL $PPID\n' >reboot
printf '#!/bin/sh\necho "$(date +%%s%%N) $1" >>"%s/suspended"\n' "$DIR" >suspend
printf '#!/bin/sh\n' >resume
chmod 755 reboot suspend resume
: >suspended
cluster_conf 'n[1-3]' "RebootProgram=$DIR/reboot" "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=6 \
        SuspendTimeout=2 ResumeTimeout=20 SuspendRate=0
cluster_up 'three nodes' n1 n2 n3
run scontrol reboot 'n[1-2]'
wait_nodes 20 'n[1-2]' 'reboot\^'
tap_ok $? 'two of them reboot'
wait_for 20 grep -q n3 suspended
tap_is "$?,$(sinfo -h -N -n 'n[1-2]' -o %T | sort -u),$(cut -d' ' -f2 suspended)" '0,reboot^,n3' 'the one that idles sleeps, those that reboot do not'
agent_start n1 -b
wait_nodes 20 n1 idle
tap_ok $? 'one is back'
wait_nodes 60 n2 'down\*'
tap_like "$(scontrol show node n2)" 'Reason=reboot timed out' 'the other one is not'
wait_for 20 grep -q n1 suspended && wait_for 20 grep -q n2 suspended
tap_ok $? 'both are put to sleep in the end, the one that is down too'
at() { # TEXT: when the log first says so, in milliseconds
        local when
        when=$(grep -m1 -F "$1" log/ctld) && date -d "${when%% *}" +%s%3N
}
idled() { # NODE SINCE: milliseconds from that word on to its end
        echo $(($(at "SuspendProgram for $1") - $(at "$2")))
}
ms=$(idled n1 'Node n1 has rebooted')
[ "$ms" -ge 5000 ] # of 6,000; a busy log may be late with the first word
tap_ok $? "SuspendTime after its end: $ms ms"
ms=$(idled n2 'Node n2 is down: reboot timed out')
[ "$ms" -ge 5000 ] # of 6,000; a busy log may be late with the first word
tap_ok $? "also where it timed out: $ms ms"
cluster_sound
tap_ok $? 'no daemon complains'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
