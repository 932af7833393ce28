#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# squeue -S i has an array's tasks in their order, what is left of it last; max_array_tasks limits how many one array has.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
ids() { squeue -h -S "$1" -o %i | paste -sd' '; }

at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 SchedulerParameters=max_array_tasks=5
cluster_up 'a node' n1
sbatch -Q -o /dev/null -a 0-4%2 --wrap 'sleep 1000'
j=$(sbatch --parsable -o /dev/null -H --wrap true)
wait_for 10 eval '[ "$(squeue -h -t R | wc -l)" = 2 ]'
tap_is "$(ids i)" '1_0 1_1 1_[2-4%2] '"$j" 'tasks that run, then the rest, then the next job'
tap_is "$(ids -i)" "$j"' 1_[2-4%2] 1_1 1_0' 'the other way round'
scontrol update jobid=1 arraytaskthrottle=0
wait_for 10 eval '[ "$(squeue -h -t R | wc -l)" = 4 ]'
scancel 1_0 && wait_for 10 eval '[ "$(squeue -h -t R -o %i | sort | paste -sd" ")" = "1_1 1_2 1_3 1_4" ]'
tap_is "$(ids i | sed 's/1_0 //')" '1_1 1_2 1_3 1_4 '"$j" 'the last task, which has the number of the array, is the last'
run sbatch -a 0-5 --wrap true
tap_is "$rc|$(paste -sd'|' <<<"$err")" '1|sbatch: error: array "0-5" has 6 tasks, max_array_tasks is 5|sbatch: error: Batch job submission failed: Invalid job array specification' \
        'more tasks than may be are refused'
run sbatch -Q -H -a 90-99:2 --wrap true
tap_is "$rc" 0 '... not indices beyond it'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
