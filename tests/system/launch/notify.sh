#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol notify: a line for the standard error of a batch script, of srun and salloc, of an array's tasks; rights, and jobs without a receiver.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
cluster_conf n1
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node' || { cluster_logs; tap_done; }
says() { # FILE PATTERN NAME
        file=$1 pattern=$2
        wait_for 20 eval 'grep -qE "$pattern" "$file"'
        tap_ok $? "$3" || cat "$file"
}
refused() { # TEXT NAME ARG...
        local text=$1 name=$2
        shift 2
        run scontrol notify "$@"
        tap_is "$rc|$err" "1|$text" "$name"
}

a=$(sbatch -Q --parsable -o job.out -e job.err --wrap 'touch up; exec sleep 1000')
wait_for 20 test -e up
run scontrol notify "$a" hello 'big  world'
tap_is "$rc|$out$err" '0|' 'a batch job is told'
says job.err '^slurmstepd.*: error: hello big  world$' '... on its standard error'
scontrol notify "$a" $'one\ntwo\e[31m'
says job.err 'error: one two \[31m$' 'a message is one line, and speaks to no terminal'
ctld_kill9
ctld_start && wait_for 20 scontrol notify "$a" again
says job.err 'error: again$' 'another controller, the same job'
if [ "$(id -u)" = 0 ]; then
        run stranger "$SLUMBER_BUILD/commands/scontrol" notify "$a" mine
        tap_is "$rc|$err" '1|job notify failure: Access/permission denied' 'others may not'
fi
silent() { [[ $(sinfo -h -n n1 -o %t) == *\* ]]; }
agent_kill9 n1 && wait_for 20 silent
refused 'job notify failure: Communication connection failure' 'its agent is away: it is said' "$a" lost
agent_start n1 && wait_nodes 20 n1 mixed
scancel "$a"
wait_job 20 "$a" CANCELLED
refused 'job notify failure: Job/step already completing or completed' 'one that is over' "$a" late
refused 'job notify failure: Invalid job id specified' 'one that is not known' 99999 x
refused 'Invalid job_id x' 'no id' x y
refused 'too few arguments for keyword:notify' 'no message' "$a"
h=$(sbatch -Q --parsable -H -o /dev/null --wrap true)
refused 'job notify failure: Requested operation is presently disabled' 'one that waits' "$h" x
scancel "$h"

for program in srun salloc; do
        $program -n1 sh -c "while [ ! -e stop.$program ]; do sleep 0.1; done" 2>"$program.err" &
        pid=$!
        wait_for 20 eval '[ "$(squeue -h -t R -o %A | wc -l)" = 1 ]'
        j=$(squeue -h -t R -o %A)
        run scontrol notify "$j" hello "$program"
        tap_is "$rc|$err" '0|' "$program is told"
        says "$program.err" "^$program: hello $program\$" '... on its standard error'
        touch "stop.$program"
        wait "$pid"
        wait_job 20 "$j" COMPLETED
done

r=$(sbatch -Q --parsable -a 0-1%1 -o arr-%a --wrap 'echo up; exec sleep 1000')
says arr-0 up 'an array'
wait_for 20 scontrol notify "$r" to all
says arr-0 'error: to all$' '... of which those that run are told'
refused 'job notify failure: Requested operation is presently disabled' 'a task that waits' "${r}_1" x
run scontrol notify "${r}_0" to one
says arr-0 'error: to one$' 'one task'
scancel "$r"
wait_for 20 no_jobs
tap_ok $? 'all end'
tap_done
