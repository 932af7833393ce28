#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A disk that fails while the controller runs: what it says is told, what asks for a change is refused at once, nodes stay as they
# are, and all goes on when it writes again.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
if ldd "$CTLD" | grep -q 'lib[at]san'; then
        tap_skip_all 'a preloaded library and a sanitizer do not go together'
fi
cluster_conf n1 SlurmdTimeout=6 BatchStartTimeout=1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
export FAULTY_DISK=$DIR/fault
LD_PRELOAD=$SLUMBER_BUILD/tests/system/libfaulty_disk.so ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
job=$(sbatch --parsable -n1 -o /dev/null --wrap 'exec sleep 600')
wait_job 20 "$job" RUNNING
tap_ok $? 'with a job'

logged() { grep -q "The state cannot be written, .*$1" log/ctld; }
again() { [ "$(grep -c 'The state is written again' log/ctld)" -ge "$1" ]; }
own() { squeue -h -n "own$1" -o '%A %T'; } # the job of an srun of its own
runs() { [ -e "runs$1" ] && [[ $(own "$1") == *RUNNING ]]; }
has_ended() { [ "$(job_state "$1")" != RUNNING ]; }
fails() { # NUMBER WHAT TIMES
        local first own srun
        # shellcheck disable=SC2016
        srun -J "own$1" -n1 -D "$DIR" sh -c 'touch runs$0; until [ -e ends$0 ]; do sleep 0.05; done; exit 3' "$1" 2>/dev/null &
        srun=$!
        wait_for 20 runs "$1"
        own=$(own "$1")
        echo "$1" >fault
        sbatch -Q --parsable -H --wrap true >kept 2>first &
        first=$!
        wait_for 20 logged "$2"
        tap_ok $? "$2: the log says it"
        wait_for 5 grep -q . first
        tap_is "$(cat first)" "sbatch: The controller cannot write its state: $2: its answer comes when it can; still waiting" \
                "$2: the request that waits is told at once"
        run timeout 10 sbatch -H --wrap true
        tap_is "$rc|$err" "1|sbatch: error: The controller cannot write its state: $2
sbatch: error: Batch job submission failed: The controller cannot write its state" "$2: sbatch is refused at once, and why"
        run timeout 10 scancel "$job"
        tap_like "$rc|$err" "^1\\|.*The controller cannot write its state: $2" "$2: so is scancel"
        run timeout 10 scontrol hold "$job"
        tap_like "$rc|$err" "^1\\|.*The controller cannot write its state: $2" "$2: and scontrol"
        tap_is "$(sinfo -h -o %t)" mix "$2: the node is as it was"
        touch "ends$1"
        # What srun tells of its own job is not refused: it is answered when it is written.
        wait_for 20 has_ended "${own% *}"
        rm fault
        wait_for 20 again "$3"
        tap_ok $? "$2: the log says when the disk writes again"
        ! wait $first || [ "$(job_state "$(cat kept)")" = PENDING ]
        tap_ok $? "$2: what was acknowledged is there"
        wait $srun
        tap_is "$?|$(scontrol show job "${own% *}" | grep -oE 'JobState=[A-Z]+|ExitCode=[0-9:]+' | paste -sd' ')" \
                '3|JobState=FAILED ExitCode=3:0' "$2: so is how a job of srun's has ended meanwhile"
}
fails 5 'Input/output error' 1
fails 30 'Read-only file system' 2
run scancel "$job"
wait_job 20 "$job" CANCELLED
tap_ok $? 'scancel works again'

# ---- a step that is not on disk is not launched, whatever else happens to its job ----
job=$(sbatch --parsable -n2 -o /dev/null -D "$DIR" --wrap 'srun -n1 sh -c "touch one; until [ -e stop ]; do sleep 0.05; done"
        touch over; exec sleep 600')
wait_for 20 test -e one
echo 5 >fault
srun --jobid="$job" --overlap -n1 -D "$DIR" touch other </dev/null 2>other.err &
srun=$!
wait_for 20 grep -q 'still waiting' other.err
touch stop
wait_for 20 test -e over
! wait_for 1 test -e other
tap_ok $? 'a step that is not on disk is not launched when another one ends'
rm fault
wait $srun
tap_is "$?|$(ls other)" '0|other' '... but when it is'
wait_for 20 again 3
scancel "$job"
wait_job 20 "$job" CANCELLED

# ---- a fault for longer than agents have for their answers: an order that has not left is not late ----
late=$(sbatch --parsable -n1 -o /dev/null --begin=now+3 --wrap true)
echo 5 >fault
tap_is "$(job_state "$late")" PENDING 'a job that begins later'
wait_job 20 "$late" RUNNING
tap_ok $? 'has its node while the disk fails'
starred() { [[ $(sinfo -h -o %t) == *'*' ]]; }
# BatchStartTimeout and 10 s are over (15 s), and nothing has happened.
! wait_for 5 starred
tap_ok $? "its node is not silent: $(sinfo -h -o %t)"
rm fault
wait_for 20 again 4
wait_job 30 "$late" COMPLETED
tap_is "$?|$(sinfo -h -o %t)|$(scontrol show job "$late" | grep -o 'Restarts=.')" '0|idle|Restarts=0' 'it is launched when the disk writes again'
cluster_end
tap_done
