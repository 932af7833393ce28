#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The configuration changes while nodes are being switched: they are taken out and come back, power saving goes off and on, the
# programs that were started for them go on and have something to say.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
# A program boots nothing before it is told to; the test is the machine.
for verb in resume suspend; do
        printf '#!/bin/sh\necho "%s $1" >>"%s/calls"\nuntil [ -e "%s/go.%s" ]; do sleep 0.05; done\n' $verb "$DIR" "$DIR" $verb >$verb
        cat >>$verb <<'END'
for n in n4 n5; do echo "{\"node\":\"$n\",\"ok\":true}"; done >&$SLUMBER_RESULT_FD
END
done
chmod 755 resume suspend
release() { : >"$DIR/go.resume"; : >"$DIR/go.suspend"; }
at_exit release
conf() { # LAST
        cluster_conf "n[1-$1]" "NodeName=n[1-$1] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD" SelectTypeParameters=CR_CPU \
                "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=600 ResumeTimeout=600 SuspendRate=0 \
                ResumeRate=0
}
called() { grep -q "^$1\$" "$DIR/calls"; }
# An agent of a node that comes and goes has a file of its own.
boot() { agent_start "$1" -b -f "$DIR/all.conf"; }

conf 5 && cp slurm.conf all.conf
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
scontrol power up 'n[4-5]' && wait_for 10 called 'resume n\[4-5\]'
tap_ok $? 'two nodes are switched on'
conf 4
run scontrol reconfigure
tap_is "$rc $(sinfo -h -o '%t %N' | sort | paste -sd' ')" '0 idle# n4 idle~ n[1-3]' 'one is taken out meanwhile'
: >go.resume
boot n4 && boot n5
wait_nodes 20 n4 idle
tap_ok $? 'the other comes up, although the program speaks of both'
wait_for 20 grep -q 'ignored: node n5 is not configured any more' log/ctld
tap_ok $? 'what it says of the one that is not there is ignored'
wait_for 20 grep -q 'node "n5" is not configured' log/ctld && scontrol ping | grep -q UP
tap_ok $? 'the agent of the one that is not there changes nothing'
conf 5
run scontrol reconfigure
wait_nodes 20 n5 idle
tap_is "$?,$rc" 0,0 'configured again its agent is let in'

rm -f go.resume
scontrol power down n5 && wait_for 10 called 'suspend n5' && wait_nodes 10 n5 'idle%'
conf 4
run scontrol reconfigure
tap_is "$rc $(sinfo -h -o '%t %N' | sort | paste -sd' ')" '0 idle n4 idle~ n[1-3]' 'taken out while it is switched off'
agent_kill9 n5
conf 5
run scontrol reconfigure
: >go.suspend
id=$(sbatch --parsable -w n5 -o /dev/null --wrap true)
wait_for 10 called 'resume n5'
tap_is "$? $(sinfo -h -N -n n5 -o %t)" '0 mix#' 'back, it is woken for a job'
run scontrol reconfigure
conf 4
run scontrol reconfigure
tap_like "$rc $err" '^1 .*node n5 has job [0-9]+ and cannot be taken out' 'a node that a job waits for is not taken out'
conf 5 && sed -i '/^SuspendTime=/d' slurm.conf
run scontrol reconfigure
tap_is "$rc $(sinfo -h -N -n n5 -o %t)" '0 mix#' 'power saving is switched off: what wakes goes on'
: >go.resume
boot n5
wait_job 20 "$id" COMPLETED
tap_ok $? 'and the job runs'
id=$(sbatch --parsable -w n1 -o /dev/null --wrap true)
wait_for 10 eval '[[ $(job_show "$id" %r) = ReqNodeNotAvail* ]]'
tap_ok $? "no node is woken without it: $(job_show "$id" %r)"
conf 5
run scontrol reconfigure
wait_for 10 called 'resume n1'
tap_is "$? $rc" '0 0' 'switched on again, it is'
scancel "$id"
release

# ---- power saving is off at the next start ----
# Programs that are there, but cannot be run: what is under way is to be started when the controller starts again.
printf '#!%s\n' "$DIR/none" >broken && chmod 755 broken
conf 5 && sed -i "s,^\(Suspend\|Resume\)Program=.*,\1Program=$DIR/broken," slurm.conf
run scontrol reconfigure
cannot() { grep -q "$1Program for $2: cannot run" log/ctld; }
wait_nodes 20 n4 idle && scontrol power up n2 && scontrol power down n4 && wait_for 20 cannot Resume n2 && wait_for 20 cannot Suspend n4
tap_is "$rc $? $(sinfo -h -N -n n2,n4 -o %t | paste -sd' ')" '0 0 idle~ idle%' 'two nodes with programs that could not be run'
agent_stop n4
ctld_stop
both=$(<slurm.conf)
started() { # and all that a start sets off has been done: an answer comes after what was decided before it
        : >log/ctld
        ctld_start && sbatch -Q -H --wrap true >/dev/null && scontrol ping | grep -q UP
}
sed -i '/Program=/d' slurm.conf
started
tap_is "$? $(sinfo -h -N -n n2,n4 -o %t | paste -sd' ')" '0 idle~ idle%' 'the controller starts when the programs have been taken out'
ctld_stop
echo "$both" >slurm.conf
rm -f broken
started
tap_is "$? $(grep -c 'Program for n' log/ctld)" '0 0' 'it starts when they are gone'
tap_like "$(<log/ctld)" "Power saving is off: SuspendProgram: $DIR/broken: No such file or directory" 'and the log says why'
ctld_stop
sed -i 's/^\(Suspend\|Resume\)Timeout=.*/\1Timeout=1/' slurm.conf
started
wait_nodes 20 n2 'idle~' && wait_nodes 20 n4 'idle~'
tap_ok $? 'the time-out of the node that was to go off acts all the same'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
