#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A ResumeProgram that writes very much to SLUMBER_RESULT_FD: what is too much is thrown away fast enough for its node to come in time.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
stop_writing() { gone "$(cat writer)" || kill "$(cat writer)"; }
at_exit stop_writing
at_exit cluster_end
cd "$DIR" || exit 1
cat >resume <<END
#!/bin/sh
head -c 400000000 /dev/zero >&\$SLUMBER_RESULT_FD &
echo \$! >"$DIR/writer"
wait \$! && touch "$DIR/written"
END
printf '#!/bin/sh\n' >suspend
chmod 755 resume suspend
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=5 ResumeTimeout=30
ctld_start && scontrol power up n1 && wait_for 10 grep -q 'ResumeProgram has written more than 16 MB' log/ctld
tap_ok $? 'a ResumeProgram writes too much: the rest is ignored' || { cluster_logs; tap_done; }
timeout 5 sinfo -h >/dev/null
tap_ok $? 'meanwhile others are answered'
wait_for 25 test -e written
tap_ok $? 'it gets rid of 400 MB before ResumeTimeout'
agent_start n1 -b
wait_nodes 20 n1 idle
tap_ok $? 'and its node comes in time'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
