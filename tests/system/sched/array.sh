#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Job arrays as users see them: tasks, limits, one task alone, output files, variables, over a kill -9 of the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' 'SelectTypeParameters=CR_CPU' MaxArraySize=100
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
rows() { squeue -h -o '%i|%A|%F|%K|%t|%r' "$@"; }
is() { [ "$(rows -j "$1" | sort)" = "$2" ]; }
# Each task waits for a file of its own name, then says what it was told.
cat >script <<'END'
#!/bin/bash
until [ -e "go.$SLURM_ARRAY_TASK_ID" ]; do sleep 0.02; done
echo "$SLURM_JOB_ID $(env | grep ^SLURM_ARRAY_ | sort | paste -sd' ')"
[ "$SLURM_ARRAY_TASK_ID" != 4 ]
END
run sbatch --array=0-8:2%2 -n1 script
tap_is "$rc $out" '0 Submitted batch job 1' 'an array is one job'
wait_for 10 is 1 '1_0|2|1|0|R|None
1_2|3|1|2|R|None
1_[4,6,8%2]|1|1|4,6,8%2|PD|JobArrayTaskLimit'
tap_ok $? "two of its tasks may run: $(rows)"
tap_is "$(squeue -h -r -t PD -o %i | paste -sd' ')" '1_4 1_6 1_8' 'squeue -r: a line for each'
tap_is "$(squeue -h -j '1_[2-6]' -o %i | sort | paste -sd' ')" '1_2 1_[4,6%2]' 'some of them'
tap_is "$(rows -j 1_6)" '1_6|1|1|6|PD|JobArrayTaskLimit' 'one of them'
tap_like "$(scontrol show job 1_2)" '^JobId=3 ArrayJobId=1 ArrayTaskId=2 ArrayTaskThrottle=2 JobName=script' 'show job 1_2'
tap_like "$(scontrol show job 1)" 'JobId=1 ArrayJobId=1 ArrayTaskId=4,6,8%2 ArrayTaskThrottle=2 JobName=script' 'show job 1: all'
run scontrol show job 1_3
tap_is "$rc" 1 'a task that was not asked for is not there'
run scontrol hold 1_6
tap_like "$rc $(rows -j 1_6)" '^0 1_6\|[0-9]+\|1\|6\|PD\|JobHeldAdmin$' 'one task is held'
tap_is "$(rows -j 1_4)" '1_4|1|1|4|PD|JobArrayTaskLimit' 'the others are not'
run scancel 1_8
tap_is "$rc|$(squeue -h -r -t PD -o %i | paste -sd' ')|$(scontrol show job 1_8)" '0|1_4 1_6|Job 1_8 not found' 'one task is cancelled, and forgotten'
run squeue -h -j 1_8
tap_is "$rc|$out|$err" '0||' '... and no error to squeue, as the array is known'
run squeue -h -j 999_8
tap_is "$rc|$out|$err" '1||slurm_load_jobs error: Invalid job id specified' '... which a task of no array is'
run sbatch --array=5-1 script
tap_is "$rc|$err" '1|sbatch: error: array "5-1": 5-1 goes backwards
sbatch: error: Batch job submission failed: Invalid job array specification' 'a wrong list is refused with its place'
run sbatch --array=0-100 script
tap_like "$err" '100 is more than 99' 'so is an index beyond MaxArraySize'
after=$(sbatch --parsable -d afterany:1 --wrap true)
tap_is "$(squeue -h -j "$after" -o %E)" 'afterany:1_*(unfulfilled)' 'a job may wait for all of it'

ctld_kill9
ctld_start
tap_is "$(rows -j 1 | sort | cut -d'|' -f1,4,5,6)" '1_0|0|R|None
1_2|2|R|None
1_6|6|PD|JobHeldAdmin
1_[4%2]|4%2|PD|JobArrayTaskLimit' 'a controller that was killed knows every task'
touch go.0
wait_for 20 eval '[ "$(squeue -h -j 1_4 -o %t)" = R ]'
tap_is "$?|$(squeue -h -t all -j 1_0 -o %t)" '0|CD' 'one ends, the next begins'
run scontrol update jobid=1 arraytaskthrottle=3
run scontrol release 1_6
wait_for 20 eval '[ "$(squeue -h -j 1_6 -o %t)" = R ]'
tap_ok $? 'the limit can be raised'
touch go.2 go.4 go.6
wait_job 20 "$after" COMPLETED
tap_ok $? 'a job that waited for the array starts after its last task'
tap_is "$(squeue -h -t all -j 1 -o '%i %t' | sort | paste -sd' ')" '1_0 CD 1_2 CD 1_4 F 1_6 CD' 'each task has an end of its own'
tap_is "$(cat slurm-1_2.out)" '3 SLURM_ARRAY_JOB_ID=1 SLURM_ARRAY_TASK_COUNT=5 SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_STEP=2' \
        'its file and its variables'
run sbatch --wait --array=1-3 --wrap 'exit $SLURM_ARRAY_TASK_ID'
tap_is "$rc" 3 'sbatch --wait waits for all and exits as the worst'
run scancel 1
tap_is "$rc$err" 0 'what is over is over'
# ---- the last task has the job id of the array: it stands and starts behind the others all the same ----
rm -f go.*
array=$(sbatch --parsable --array=1-4 -n1 -o /dev/null script)
all_run() { [ "$(squeue -h -j "$array" -t R -o %i | wc -l)" = 4 ]; }
wait_for 20 all_run
tap_is "$(squeue -h -j "$array" -o %i | paste -sd' ')|$(squeue -h -S P -j "$array" -o %K | paste -sd' ')" \
        "${array}_1 ${array}_2 ${array}_3 ${array}_4|1 2 3 4" 'tasks in their order'
touch go.1 go.2 go.3 go.4
order=$(sbatch --parsable --array=1-4 -n4 -o /dev/null --wrap 'echo $SLURM_ARRAY_TASK_ID >>order')
all_over() { [ "$(squeue -h -t all -j "$order" -t CD -o %i | wc -l)" = 4 ]; }
wait_for 20 all_over
tap_is "$(paste -sd' ' order)" '1 2 3 4' '... in which they start'
# ---- what a task costs in a list does not depend on how many there are ----
twice=$(sbatch --parsable -H --array=1-99:2 --wrap true) once=$(sbatch --parsable -H --array=1-49:2 --wrap true)
for as in json yaml; do
        many=$(squeue -r "--$as" -j "$twice" | wc -c) few=$(squeue -r "--$as" -j "$once" | wc -c) none=$(squeue -r "--$as" -j 1 -t CG | wc -c)
        tap_ok $((many - none > 2 * (few - none) + 50 * 4)) "--$as: twice the tasks are twice the text ($none, $few, $many bytes)"
done
tasks=$(squeue -r --json -j "$once" | tr -d ' \n')
tap_is "$(grep -o '"array_task_string":"[^"]*"' <<<"$tasks" | sort | uniq -c | xargs)" '25 array_task_string:' 'none has the list of all of them'
tap_is "$(grep -o '"array_task_id":{[^}]*}' <<<"$tasks" | grep -o '[0-9]*' | paste -sd,)" "$(seq -s, 1 2 49)" 'each has a number of its own'
tap_like "$(squeue --json -j "$once" | tr -d ' \n')" "\"array_task_string\":\"$(seq -s, 1 2 49)\"" 'one record for all has that list'
scancel "$twice" "$once"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
