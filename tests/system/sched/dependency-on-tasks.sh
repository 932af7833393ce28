#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that wait for several tasks of an array, written as a list: seen, kept over a kill -9, met, replayed; and what is no such list.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000'
cluster_up 'a cluster' n1
depends() { squeue -h -t all -j "$1" -o '%t %r %E'; }
is() { [ "$(depends "$1")" = "$2" ]; }

a=$(sbatch --parsable --array=0-4 --wrap 'until [ -s "go$SLURM_ARRAY_TASK_ID" ]; do sleep 0.02; done; exit "$(cat "go$SLURM_ARRAY_TASK_ID")"')
any=$(sbatch --parsable -d "afterany:${a}_[0-1]" --wrap true)
ok=$(sbatch --parsable -d "afterok:${a}_[0,4-40:4]:$any" --wrap true)
not=$(sbatch --parsable -d "afternotok:${a}_[1-2]?afterok:${a}_[3]" --wrap true)
killed=$(sbatch --parsable -d "afterok:${a}_[0-1]" --kill-on-invalid-dep=yes --wrap true)
missing=$(sbatch --parsable -d "afterok:${a}_[7-9]" --wrap true)
wait_job 20 "$missing" COMPLETED
tap_ok $? 'tasks that the array does not have are not waited for'
tap_is "$(depends "$any")" "PD Dependency afterany:${a}_0(unfulfilled),afterany:${a}_1(unfulfilled)" 'squeue tells each task'
tap_like "$(scontrol show job "$ok")" " Dependency=afterok:${a}_0\(unfulfilled\),afterok:${a}_4\(unfulfilled\),afterok:$any\(unfulfilled\)"$'\n' \
        'and scontrol, those that the array has'
tap_is "$(depends "$not")" "PD Dependency afternotok:${a}_1(unfulfilled)?afternotok:${a}_2(unfulfilled)?afterok:${a}_3(unfulfilled)" 'one of them'
tap_like "$(scontrol show job "$killed")" $'\n   KillOInInvalidDependent=Yes\n' 'show job has what becomes of it when that cannot be'

# ---- no lists ----
refused() { # LIST TOLD
        run sbatch -d "afterok:${a}_$1" --wrap true
        tap_is "$rc|$err" "1|sbatch: error: dependency \"afterok:${a}_$1\": $2
sbatch: error: Batch job submission failed: Job dependency problem" "$1 is refused with its place"
}
refused '[0-1' 'array "[0-1": "]" is missing'
refused '[1-0]' 'array "[1-0]": 1-0 goes backwards'
refused '[0-1%1]' '"%1]" is unexpected'
refused '[0-4000000]' 'array "[0-4000000]": 4000000 is more than 9999'
refused '[0-9999]:9_[1]' 'its lists name more than 10000 tasks'
whole=$(sbatch --parsable -H -d "afterok:${a}_[0-9999]" --wrap true)
tap_is "$(depends "$whole" | tr , '\n' | wc -l)" 5 'a long one costs what the array has'
run scontrol update "jobid=${a}_3" "dependency=afterok:$any"
tap_like "$rc $err" '1 .*Job is no longer pending execution' 'a task that runs waits for no job'
b=$(sbatch --parsable -H --array=0-2 --wrap true)
run scontrol update "jobid=${b}_1" "dependency=afterok:${b}_[0,2]"
tap_is "$rc|$(depends "${b}_1")" "0|PD JobHeldUser afterok:${b}_0(unfulfilled),afterok:${b}_2(unfulfilled)" 'a task waits for others of its array'
run scontrol update "jobid=${b}_2" "dependency=afterok:${b}_[0-1]"
tap_like "$rc $err" '1 .*Circular job dependency' 'but not these for it'
run scontrol update "jobid=${b}_1" dependency=0
tap_is "$rc|$(depends "${b}_1")" '0|PD JobHeldUser (null)' '0 takes a dependency away'
run sbatch --parsable -d 0 --wrap true
wait_job 20 "$out" COMPLETED
tap_ok $? 'or has none'

# ---- met ----
ctld_kill9
ctld_start
echo 0 >go0
wait_job 20 "${a}_0" COMPLETED
wait_for 10 is "$any" "PD Dependency afterany:${a}_1(unfulfilled)"
tap_ok $? 'a controller that was killed still knows, and takes out what is met'
echo 3 >go1
wait_job 20 "$not" COMPLETED && wait_job 20 "$any" COMPLETED && wait_for 10 is "$killed" "CA DependencyNeverSatisfied afterok:${a}_1(failed)"
tap_ok $? 'a failure starts a job that waits for one of several, and cancels one that asked for that'
tap_is "$(depends "$ok")" "PD Dependency afterok:${a}_4(unfulfilled)" 'a job that waits for another goes on waiting'
for i in 2 3 4; do echo 0 >go$i; done
wait_job 20 "$ok" COMPLETED
tap_ok $? 'until it has succeeded'

# ---- once more ----
here() { sacct -n -X -j "$ok" -o state | grep -q COMPLETED; }
wait_for 20 here
"$SLUMBER_BUILD/controller/slumber-sim" -q -f slurm.conf --accounting --csv >sim.csv
awk -F, -v a="${a}_4" -v ok="$ok" '$1 == a { end = $4 } $1 == ok { start = $3 } END { exit !(end && start >= end) }' sim.csv
tap_ok $? 'it waits for them in a replay too' || sed 's/^/# /' sim.csv
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
