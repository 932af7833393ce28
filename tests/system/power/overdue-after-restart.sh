#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that outlive their controller and hang: the next one tells of them, and ends them where slumber.yaml says so, as its own.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
conf() { # LINE...
        program_conf n1 SuspendTimeout=1 ResumeTimeout=3 "ResumeFailProgram=$DIR/fail" "$@"
}
next_ctld() { # after a crash
        ctld_kill9
        : >log/ctld
        ctld_start
}
runs() { [ -s "$1.pid" ] && ! gone "$(cat "$1.pid")"; }
found() { said "$1 for n1 (process $2), which an earlier controller had started, still runs"; }
overdue() { said "$1 for n1 (process $2) still runs after 3 s, longer than its nodes may take; it is not ended"; }
ended() { said "$1 for n1 ran longer than its nodes may take and was ended"; }

conf
program fail failed 'is told of'
ctld_start && scontrol power down force n1 && wait_for 20 grep -q 'n1 off' calls
tap_ok $? 'a SuspendProgram runs' || { cluster_logs; tap_done; }
suspend=$(cat suspend.pid)
next_ctld && found SuspendProgram "$suspend"
tap_ok $? 'its controller is killed, the next one finds it'
wait_for 20 overdue SuspendProgram "$suspend"
tap_ok $? 'that it runs for too long is logged as of one of its own'
ctld_stop
said '1 programs for nodes. power still run; they go on' && ! said 'Waiting for'
tap_ok $? 'so is that it goes on when the controller ends, which does not wait for what it cannot hear'
: >log/ctld
ctld_start && wait_for 20 overdue SuspendProgram "$suspend" && runs suspend
tap_ok $? 'by each controller anew; it is left to run on'

conf 'yaml end_programs: yes'
next_ctld && wait_for 20 ended SuspendProgram && ! runs suspend
tap_ok $? 'end_programs: it is ended by the next controller'
next_ctld && ! found SuspendProgram "$suspend"
tap_ok $? '... and not known to the one after that'
tap_is "$(cat calls)" 'n1 off' 'it was not left to end'

sed -i "1a trap 'echo TERM >>$DIR/calls; echo not yet >\&2' TERM" suspend
rm calls
scontrol power down force n1 && wait_for 20 grep -q 'n1 off' calls && next_ctld && found SuspendProgram "$(cat suspend.pid)"
tap_ok $? 'one that does not hear'
wait_for 20 ended SuspendProgram && ! runs suspend
tap_is "$? $(xargs <calls)" '0 n1 off TERM' 'is asked, and killed'
wait_for 20 said 'SuspendProgram says: not yet'
tap_ok $? 'what it said last is logged'

# ---- the other programs ----
program suspend off
program resume on 'is on'
rm calls
scontrol power down force n1
wait_for 20 said 'SuspendProgram for n1 is done' && wait_nodes 20 n1 'idle~' && scontrol power up n1 && wait_for 20 grep -q 'n1 on' calls
tap_ok $? 'a ResumeProgram runs'
resume=$(cat resume.pid)
next_ctld && found ResumeProgram "$resume"
tap_ok $? 'it is found by the next controller'
wait_for 20 ended ResumeProgram && ! runs resume
tap_ok $? '... and ended for its time'
wait_nodes 20 n1 'down~' && wait_for 20 grep -q 'n1 failed' calls
tap_ok $? 'its node has not come up: a ResumeFailProgram runs'
next_ctld && found ResumeFailProgram "$(cat fail.pid)" && wait_for 20 ended ResumeFailProgram && ! runs fail
tap_ok $? 'it is found and ended likewise'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
