#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A controller that is to stop waits a while for the programs that it has started (guide power-saving.txt, "fault tolerance").
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
echo \$\$ >"$DIR/resume.pid"
until [ -e "$DIR/go" ]; do sleep 0.02; done
cat "\$SLURM_RESUME_FILE" >"$DIR/read" 2>&1
END
printf '#!/bin/sh\n' >suspend
chmod 755 "$DIR" resume suspend
conf() { # SUSPENDTIMEOUT
        cluster_conf 'n1' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
                "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 "SuspendTimeout=$1" ResumeTimeout=600
}
said() { grep -q "$1" "$DIR/log/ctld"; }
program_runs() { [ -s resume.pid ] && ! gone "$(cat resume.pid)"; }
program_ended() { ! program_runs; }
wants_power() { # OPTIONS OF SLUMBERCTLD: a controller with a program that waits; its pid is in $pid
        rm -f go resume.pid run/ctld.pid
        : >log/ctld
        ctld_start "$@" && sbatch -o /dev/null --wrap true >/dev/null && wait_for 20 program_runs && pid=$(cat run/ctld.pid)
}

conf 600
wants_power
tap_ok $? 'a ResumeProgram runs' || { cluster_logs; tap_done; }
kill -TERM "$pid" && wait_for 20 said 'Waiting for 1 programs'
tap_ok $? 'asked to stop, the controller waits for it'
[ "$(squeue -h -o %T)" = CONFIGURING ]
tap_ok $? 'and goes on as usual'
release
wait_for 20 gone "$pid" && said 'ResumeProgram for n1 is done' && ! said 'still run'
tap_ok $? 'when the program has ended, so does the controller, which knows of it'
grep -q '"nodes_resume" *: *"n1"' read
tap_ok $? 'the program could read its file all the time'

conf 1
wants_power -c && kill -TERM "$pid" && wait_for 20 gone "$pid"
tap_ok $? 'it waits no longer than SuspendTimeout'
said '1 programs for nodes. power still run; they go on' && program_runs
tap_ok $? 'says so, and the program goes on'
release
wait_for 20 program_ended

conf 600
wants_power -c && kill -TERM "$pid" && wait_for 20 said 'Waiting for 1 programs' && kill -INT "$pid" && wait_for 20 gone "$pid" &&
        said 'still run'
tap_ok $? 'a second signal ends it at once'
release
wait_for 20 program_ended
rm -f run/ctld.pid
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
