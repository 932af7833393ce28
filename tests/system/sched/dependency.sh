#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that wait for jobs, as users write and see it, over a kill -9 of the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
depends() { squeue -h -t all -j "$1" -o '%t %r %E'; }
is() { [ "$(depends "$1")" = "$2" ]; }

first=$(sbatch --parsable --wrap 'until [ -e go ]; do sleep 0.02; done')
bad=$(sbatch --parsable --wrap 'exit 3')
wait_job 20 "$bad" FAILED
ok=$(sbatch --parsable -d "afterok:$first" --wrap 'echo "$SLURM_JOB_DEPENDENCY" >seen')
not=$(sbatch --parsable --dependency="afternotok:$first" --wrap true)
any=$(sbatch --parsable -d "afterok:$bad?afterany:$first" --wrap true)
never=$(sbatch --parsable -d "afterok:$bad" --wrap true)
run sbatch --parsable -d "afterok:$bad" --kill-on-invalid-dep=yes --wrap true
killed=$out
tap_is "$(depends "$ok")" "PD Dependency afterok:$first(unfulfilled)" 'squeue tells what a job waits for'
tap_is "$(depends "$any")" "PD Dependency afterok:$bad(failed)?afterany:$first(unfulfilled)" '... one of them'
tap_is "$(depends "$never")" "PD DependencyNeverSatisfied afterok:$bad(failed)" '... for ever'
tap_is "$(depends "$killed")" 'CA DependencyNeverSatisfied afterok:'"$bad(failed)" 'unless it asked to be cancelled then'
tap_like "$(scontrol show job "$ok")" "JobState=PENDING Reason=Dependency Dependency=afterok:$first\(unfulfilled\)" 'show job tells it too'
tap_like "$(squeue --json -j "$ok" | tr -d ' \n')" "\"dependency\":\"afterok:$first\(unfulfilled\)\"" 'and JSON'
run sbatch -d afterok:x --wrap true
tap_is "$rc|$err" '1|sbatch: error: dependency "afterok:x": "x" is not a job id
sbatch: error: Batch job submission failed: Job dependency problem' 'a wrong one is refused with its place'
run scontrol update "jobid=$ok" "dependency=afterok:$ok"
tap_like "$rc $err" "1 .*Job dependency problem" 'a job cannot wait for itself'
run scontrol update "jobid=$not" "dependency=after:$ok"
run scontrol update "jobid=$ok" "dependency=after:$not"
tap_like "$rc $err" "1 .*Circular job dependency" 'nor for one that waits for it'
run scontrol update "jobid=$not" "dependency=afternotok:$first"
run scontrol update "jobid=$first" dependency=
tap_like "$rc $err" '1 .*Job is no longer pending execution' 'nor can one that runs'

run scontrol update "jobid=$ok" "comment=$(printf '%070000d' 1)"
tap_like "$rc $err" '1 .*The request is larger than its limit' 'an update is held to the limits of a submission'

ctld_kill9
ctld_start
tap_is "$(depends "$ok")|$(depends "$never")" \
        "PD Dependency afterok:$first(unfulfilled)|PD DependencyNeverSatisfied afterok:$bad(failed)" 'a controller that was killed still knows'
touch go
wait_job 20 "$ok" COMPLETED && wait_job 20 "$any" COMPLETED
tap_is "$?|$(cat seen)" "0|afterok:$first" 'an end lets them run'
wait_for 10 is "$not" "PD DependencyNeverSatisfied afternotok:$first(failed)"
tap_ok $? 'but not those that waited for a failure'
run scontrol update "jobid=$not" dependency=
wait_job 20 "$not" COMPLETED
tap_ok $? 'until their dependency is taken away'
run sbatch --wait -J s --wrap 'sleep 0.3; echo one >>order'
sbatch --parsable -J s --wrap 'sleep 0.3; echo two >>order' >/dev/null
three=$(sbatch --parsable -J s -d singleton --wrap 'echo three >>order')
wait_job 20 "$three" COMPLETED
tap_is "$(paste -sd' ' order)" 'one two three' 'singleton: after all of the same name'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
