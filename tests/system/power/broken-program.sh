#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that cannot be run, as administrators write them for the first time: the cause is told where the node and the job are looked
# at, and they are tried again, so that a job is not left with a node that is never woken.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
program() { # NAME TEXT: in one step, as an editor saves it
        printf '%b' "$2" >"$1.new" && chmod 755 "$1.new" && mv "$1.new" "$1"
}
program resume '#!/bin/sh\r\nexit 0\r\n'
program suspend '#!/nowhere/python\n'
cluster_conf n1 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=60 ResumeTimeout=INFINITE 'yaml brake_pause: 1s' 
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
error() { scontrol show node "$1" | sed -n 's/^ *PowerError=//p'; }
has_error() { [[ $(error "$1") = $2 ]]; }

job=$(sbatch --parsable -w n1 -o /dev/null --wrap true)
wait_for 20 has_error n1 "ResumeProgram: cannot run $DIR/resume: it is there, but not its interpreter*"
tap_ok $? "a script from Windows: $(error n1)"
tap_like "$(grep 'error: ResumeProgram for n1' log/ctld)" "cannot run $DIR/resume: it is there, but not its interpreter" 'the log says so, too'
program resume "#!/bin/sh\necho \"\$1\" >>$DIR/calls\n"
wait_for 30 grep -qx n1 calls
tap_is "$?|$(job_show "$job" '%t')" '0|CF' 'it is tried again by itself, on another node first'
agent_start n1 -b
wait_job 20 "$job" COMPLETED
tap_is "$?|$(error n1)" '0|' 'its node comes up, and nothing is wrong any more'

program resume '#!/bin/sh\necho trying >&2\necho "no quota in zone b" >&2\nexit 3\n'
run scontrol power up n2
wait_for 20 has_error n2 'ResumeProgram: exit status 3: no quota in zone b'
tap_is "$?|$rc" '0|0' 'one that fails: status and last line are shown'
program resume '#!/bin/sh\nkill -9 $$\n'
run scontrol power up n3
wait_for 20 has_error n3 'ResumeProgram: was killed by signal 9'
tap_is "$?|$rc" '0|0' 'one that is killed'

run scontrol power down force n1
wait_for 20 grep -q "SuspendProgram for n1: cannot run $DIR/suspend: it is there, but not its interpreter" log/ctld
tap_is "$?|$rc" '0|0' 'a SuspendProgram without its interpreter'
program suspend "#!/bin/sh\necho \"\$1 off\" >>$DIR/calls\n"
wait_for 30 grep -qx 'n1 off' calls
tap_ok $? 'is tried again within SuspendTimeout'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
