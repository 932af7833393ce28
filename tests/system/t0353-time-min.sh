#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --time-min: a limit is lowered to what is free, and what was asked for is there again for another run.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf 'n[1-2]'
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
for n in n1 n2; do agent_start $n; done
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes'

add() { sbatch --parsable --exclusive --requeue -o /dev/null "$@" --wrap 'exec sleep 1000'; }
a=$(add -N1 -t 30) && wait_job 20 "$a" RUNNING
b=$(add -N2 -t 10)
wait_for 20 eval '[ "$(squeue -h --start -j "$b" -o %S)" != N/A ]'
tap_ok $? 'somebody who waits for both'
c=$(add -N1 -t 2:00:00 --time-min 10)
wait_job 20 "$c" RUNNING
tap_like "$?|$(job_show "$c" %l)|$(scontrol show job "$c" | grep -o TimeMin=.*)" '^0\|(29|30):00\|TimeMin=00:10:00$' 'a shorter limit is enough to start now'
d=$(add -N1 -t 2:00:00 --time-min 1:00:00)
wait_for 20 eval '[ "$(job_show "$d" %T:%r)" = PENDING:Priority ]'
tap_is "$?|$(job_show "$d" %l)" '0|2:00:00' 'not less than it must have'
ctld_kill9
ctld_start
tap_like "$(job_show "$c" %l)" '^(29|30):00$' 'it keeps the limit over a crash'
scontrol requeuehold "$c"
wait_job 20 "$c" PENDING
tap_is "$?|$(job_show "$c" %l)" '0|2:00:00' 'and gets what it asked for with another run'
run scontrol update jobid="$c" timemin=3:00:00
tap_is "$rc|$err" "1|Invalid time-min specification (exceeds job's time or other limits) for job $c" 'more than its limit is refused'
scontrol update jobid="$c" timemin=20
tap_is "$?|$(scontrol show job "$c" | grep -o TimeMin=.*)" '0|TimeMin=00:20:00' 'it may be changed'
run sbatch -t 5 --time-min 6 --wrap true
tap_is "$rc|$err" "1|sbatch: error: Batch job submission failed: Invalid time-min specification (exceeds job's time or other limits)" 'by sbatch too'
scancel "$a" "$b" "$c" "$d"
wait_nodes 20 'n[1-2]' idle

cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
