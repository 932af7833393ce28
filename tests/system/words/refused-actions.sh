#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What scontrol says, in Slurm's words, of jobs that it cannot hold, requeue, suspend or resume, and that they stay as they are.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cluster_conf n1 SelectTypeParameters=CR_Core
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node' || { cluster_logs; tap_done; }
cd "$DIR" || exit 1

# VERB ID WORDS WHAT: refused with these words, on one line
refused() {
        run scontrol "$1" "$2"
        tap_is "$rc|$out|$err" "1||$3" "$1 of $4"
}
# The same of what Slurm does by an update: it says so twice.
held_up() { refused "$1" "$2" "$3 for job $2
slurm_suspend error: $3" "$4"; }

over=$(sbatch --parsable -o /dev/null --wrap 'exit 3')
tasks=$(sbatch --parsable -a 0-1 -o /dev/null --wrap true)
once=$(sbatch --parsable --no-requeue -H -o /dev/null --wrap true)
waits=$(sbatch --parsable -H -o /dev/null --wrap 'exec sleep 1000')
wait_job 20 "$over" FAILED && wait_job 20 "${tasks}_0" COMPLETED && wait_job 20 "${tasks}_1" COMPLETED
tap_ok $? 'some that are over'
for verb in hold uhold release; do
        held_up $verb "$over" 'Job has already finished' 'one that is over'
        held_up $verb 9999 'Invalid job id specified' 'one that is not there'
done
for verb in suspend resume; do
        refused $verb "$over" "Job/step already completing or completed for job $over" 'one that is over'
        refused $verb "$waits" "Job is pending execution for job $waits" 'one that waits'
        refused $verb 9999 'Invalid job id specified for job 9999' 'one that is not there'
done
refused hold "${tasks}_1" "${tasks}_1: Job has already finished" 'a task that is over'
refused suspend "${tasks}_1" "${tasks}_1: Job/step already completing or completed" 'a task that is over'
for verb in requeue requeuehold; do
        refused $verb "$waits" "Job is pending execution for job $waits" 'one that waits'
        refused $verb "$once" "Requested operation is presently disabled for job $once" 'one with --no-requeue'
        refused $verb "${tasks}_7" "${tasks}_7: Invalid job id specified" 'a task that there is not'
done
scontrol release "$waits" && wait_job 20 "$waits" RUNNING
tap_ok $? 'one runs'
refused resume "$waits" "Job is not suspended for job $waits" 'one that runs'
run scontrol requeuehold State=Mine "$waits"
tap_like "$rc|$err|$(job_state "$waits")" '^1\|State=Mine is refused: .*\|RUNNING' 'a state that there is not is refused by name'
tap_is "$(scontrol requeuehold "$waits" 2>&1)" '' 'it goes back'
refused requeuehold "$waits" "Job is pending execution for job $waits" 'one that is on its way back'
wait_job 20 "$waits" PENDING
tap_is "$?|$(job_show "$waits" %r)" '0|job requeued in held state' 'and is held there'
scontrol release "$waits" && wait_job 20 "$waits" RUNNING
run scontrol requeuehold State=SpecialExit incomplete "$waits"
wait_for 20 eval '[ "$(job_show "$waits" "%T %t")" = "SPECIAL_EXIT SE" ]'
tap_is "$?|$rc|$err" '0|0|' 'State=SpecialExit is shown as such'
run scontrol requeue incomplete "$waits"
tap_is "$rc|$err|$(job_state "$waits")" '0||SPECIAL_EXIT' 'incomplete: one that waits is passed over, too'
run scontrol requeue incomplete "$over"
tap_is "$rc|$err|$(job_state "$over")" '0||FAILED' 'incomplete: a job that is over is passed over'
srun -Q -n1 sleep 1000 2>/dev/null &
srun=$!
wait_for 20 eval '[ -n "$(squeue -h -t R -n sleep -o %i)" ]'
mine=$(squeue -h -n sleep -o %i)
refused requeue "$mine" "Only batch jobs are accepted or processed for job $mine" 'one of srun'
tap_is "$(job_state "$mine")" RUNNING 'which goes on'
scancel "$mine" "$waits" "$once"
wait "$srun"
run scontrol requeue "$tasks"
tap_is "$rc|$out|$err" '0||' 'an array that is over runs again'
wait_job 20 "${tasks}_0" COMPLETED && wait_job 20 "${tasks}_1" COMPLETED
tap_is "$?|$(sacct -X -D -n -j "$tasks" -o state%-12 | sort | uniq -c | tr -s ' ')" '0| 4 COMPLETED ' 'a second time'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
