#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that leave a process behind that never closes SLUMBER_RESULT_FD: each costs the controller a descriptor, so the oldest of
# more than 256 are no longer listened to; the last one is.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
MOST=256 MORE=260
# None of the processes left behind is there when the test is over.
left() { pgrep -f "^/bin/sh $DIR/resume " >/dev/null; }
release() { exec 7>&- 8>&- 9>&-; wait_for 20 eval '! left'; }
at_exit release
at_exit cluster_end
cd "$DIR" || exit 1
# The process left behind says that its node has no boot, when it is let go: the first, the last, or all others.
for gate in 7:n1 8:n$MORE 9:others; do
        eval "exec ${gate%:*}>gate.${gate#*:}" && flock "${gate%:*}"
done
cat >resume <<END
#!/bin/sh
gate=$DIR/gate.\$1
[ -e "\$gate" ] || gate=$DIR/gate.others
( flock -s "\$gate" true
  ( echo "{\"node\":\"\$1\",\"ok\":false,\"error\":\"no-boot\",\"text\":\"said late\"}" >&\$SLUMBER_RESULT_FD )
  echo \$? >"$DIR/said.\$1" ) &
echo \$1 >>"$DIR/calls"
END
printf '#!/bin/sh\n' >suspend
chmod 755 resume suspend
cluster_conf n1 "NodeName=n[1-$MORE] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD" SelectTypeParameters=CR_CPU \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=600 ResumeTimeout=600 SuspendRate=0 \
        ResumeRate=0
called() { [ "$(wc -l <calls)" -eq "$1" ]; }
pipes() { find "/proc/$(_pid ctld)/fd" -lname 'pipe:*' | wc -l; }
said() { grep -q "$1" log/ctld; }
: >calls
ctld_start 7>&- 8>&- 9>&-
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
before=$(pipes)
for ((i = 1; i <= MORE; i++)); do
        scontrol power up "n$i" || break
        wait_for 10 called "$i" || break
done
tap_is "$i" $((MORE + 1)) "$MORE nodes are switched on, one program each, and each leaves a process behind"
over() { [ "$(grep -c 'ResumeProgram for n.* is done' log/ctld)" -eq $MORE ]; }
wait_for 10 over
tap_ok $? 'all programs are over'
tap_is "$(($(pipes) - before))" $MOST "and the controller has kept $MOST of their pipes"
exec 7>&-
wait_for 10 test -s said.n1
tap_is "$? $(cat said.n1)" '0 0' 'the first one may say what it likes'
exec 8>&-
wait_for 10 said "n$MORE.*said late"
tap_ok $? 'what the last one says is heard'
! said 'n1[^0-9].*said late'
tap_ok $? 'the first one was not'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
