#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A ResumeProgram that writes gigabytes to its standard error: the controller's host keeps the last of it, not all of it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cat >resume <<END
#!/bin/bash
timeout 3 cat /dev/zero >&2
echo >&2
echo 'quota exceeded' >&2
exit 3
END
printf '#!/bin/sh\n' >suspend
chmod 755 resume suspend
cluster_conf n1 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 ResumeTimeout=60
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }

# kept: what the files that the controller has in memory for it take, in MB
pid=$(cat run/ctld.pid) most=0
kept() {
        local fd sum=0 blocks
        for fd in "/proc/$pid/fd"/*; do
                [[ $(readlink "$fd") = /memfd:slumber-stderr* ]] && blocks=$(stat -L -c %b "$fd") && sum=$((sum + blocks / 2048))
        done
        [ "$sum" -le "$most" ] || most=$sum
}
ended() { kept; grep -q 'ResumeProgram for n1: exit status 3' log/ctld; } 2>/dev/null
run scontrol power up n1
wait_for 30 ended
tap_is "$?|$rc" '0|0' 'it writes for three seconds'
[ "$most" -gt 0 ] && [ "$most" -lt 300 ]
tap_ok $? "at most $most MB of that are kept at a time"
wait_for 20 grep -q 'ResumeProgram says: quota exceeded' log/ctld
tap_ok $? 'its last line is in the log'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
