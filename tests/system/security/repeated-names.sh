#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A message that names the same array, or its tasks, 100,000 times is served as one that names it once, and answered.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
at_exit cluster_end
cluster_conf n1
cd "$DIR" || exit 1
cp "$SLUMBER_SOURCE/tests/system/hostile.py" .
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
job=$(sbatch --parsable -H -a 0-999 --wrap true)
scontrol hold "${job}_[0-999]"
tap_is "$?|$(squeue -h -o %i | wc -l)" '0|1000' 'an array of 1000 tasks, each with a record'

heard() { timeout 60 /usr/bin/python3 hostile.py unix "$DIR/sock" "$1" "$job" 2>&1 | tail -1; }
codes() { heard "$1" | tr ' ' '\n' | sort | uniq -c | awk '{ printf "%s%s*%s", sep, $2, $1; sep = " " }'; }
tap_is "$(codes same-id)" '0*1000 results*1' 'hold of the same array, 100,000 times'
tap_is "$(codes same-task)" '0*2 results*1' 'of the same task'
tap_like "$(codes same-tasks)" '^0\*1000 31\*[0-9]+ results\*1$' 'of the same 1000 tasks: once, and from some time on it is too much'
tap_is "$(heard long-ranges)" 'results 12' 'indices that no array has are refused'
tap_is "$(heard long-list)" 'results 12' 'and so is a list that is too long'
scontrol release "$job"
tap_is "$(heard top-twice)" ok 'top of the same array, 100,000 times'
tap_is "$(heard ping)" 'body 35' 'and the controller hears the next one'
run scancel "$job" "$job" "${job}_5" "${job}_[3-9]"
tap_is "$rc|$err|$(squeue -h -o %i | wc -l)" '0||0' 'scancel of what is named several times is no error'
cluster_sound
tap_ok $? 'no sanitizer has complained'
tap_done
