#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that run longer than any node may take (guide power-saving.txt, "resume and suspend programs"): they are logged and not
# aborted; where slumber.yaml says so they are ended, as Slurm does.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
release() { : >"$DIR/go"; }
at_exit release
at_exit cluster_end
cd "$DIR" || exit 1
cat >resume <<END
#!/bin/sh
trap 'echo TERM >>"$DIR/signals"' TERM
echo \$\$ >"$DIR/pid.new" && mv "$DIR/pid.new" "$DIR/pid"
until [ -e "$DIR/go" ]; do sleep 0.05; done
i=0; while [ \$i -lt 3000 ]; do i=\$((i + 1)); echo '{"node":"n1","ok":false,"error":"fatal","text":"too late to say so"}'; done >&\$SLUMBER_RESULT_FD
head -c 20000000 /dev/zero | tr '\0' x >&\$SLUMBER_RESULT_FD
echo done >"$DIR/finished"
END
printf '#!/bin/sh\n' >suspend
chmod 755 resume suspend
conf() { # LINE...
        cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
                "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=1 ResumeTimeout=2 "$@"
}
said() { grep -q "$1" "$DIR/log/ctld"; }
runs() { [ -s pid ] && ! gone "$(cat pid)"; }

conf
ctld_start && run scontrol power up n1 && wait_for 20 runs
tap_ok $? 'a ResumeProgram runs' || { cluster_logs; tap_done; }
wait_nodes 20 n1 'down~'
tap_like "$? $(scontrol show node n1)" 'Reason=ResumeTimeout reached' 'its node has not come up in time'
wait_for 20 said "ResumeProgram for n1 (process $(cat pid)) still runs after 2 s"
tap_ok $? 'that the program runs on is logged'
wait_for 1 said 'it is not ended'
runs && [ ! -e signals ]
tap_ok $? 'and it is not aborted'
release
wait_for 20 test -e finished && wait_for 20 said 'ResumeProgram for n1 is done'
tap_ok $? 'it ends by itself, whatever it has to say'
said 'ResumeProgram has written more than 16 MB to SLUMBER_RESULT_FD'
tap_ok $? 'also when its results are not read any more'
tap_like "$(scontrol show node n1)" 'Reason=ResumeTimeout reached' 'which comes too late for the node'
tap_is "$(grep -c 'says "fatal" of node n1, which is past that' log/ctld)" 10 'and is logged ten times, not 3,000'

ctld_stop
rm -f go pid signals finished
: >log/ctld
conf 'yaml end_programs: yes'
ctld_start -c && run scontrol power up n1 && wait_for 20 runs
wait_for 20 said 'ResumeProgram for n1 ran longer than its nodes may take and was ended'
tap_is "$? $(cat signals)" '0 TERM' 'end_programs: it is asked to end, and killed'
wait_for 20 eval '! runs'
tap_ok $? 'it is gone'
! said 'it is not ended'
tap_ok $? 'nothing is said of running on'

# ---- a program outlives its controller ----
ctld_stop
rm -f go pid finished
conf
cat >resume.new <<END
#!/bin/sh
echo \$\$ >"$DIR/pid.new" && mv "$DIR/pid.new" "$DIR/pid"
until [ -e "$DIR/go" ]; do sleep 0.05; done
head -c 500000 /dev/zero | tr '\0' x >&\$SLUMBER_RESULT_FD
echo done >"$DIR/finished"
END
chmod 755 resume.new && mv resume.new resume
ctld_start -c && run scontrol power up n1 && wait_for 20 runs
ctld_kill9
release
wait_for 20 test -e finished
tap_ok $? 'what it has to say then does not hold it up, as far as a large pipe goes'
cluster_sound
tap_ok $? 'no daemon complains'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
