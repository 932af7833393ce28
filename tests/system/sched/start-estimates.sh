#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# squeue --start: when and where pending jobs are expected to start, and that it follows what happens.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000' SelectType=select/linear SelectTypeParameters=
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
agent_start n1
agent_start n2
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes'

seconds() { date -d "${1/T/ }" +%s; }
start_of() { squeue -h --start -j "$1" -o %S; }
planned() { # ID: the plan has it
        [ "$(start_of "$1")" != N/A ] && [ -n "$(start_of "$1")" ]
}
# Within 2 seconds: a plan is made of whole ones.
near() { # TIME TIME
        local a b
        a=$(seconds "$1") && b=$(seconds "$2") && [ $((a - b)) -ge -2 ] && [ $((a - b)) -le 2 ]
}

run squeue --start
tap_is "$rc|$err|$(wc -l <<<"$out")" '0||1' 'an empty queue is a heading'
tap_is "$(tr -s ' ' <<<"$out")" ' JOBID PARTITION NAME USER ST START_TIME NODES SCHEDNODES NODELIST(REASON)' "which is Slurm's"
a=$(sbatch --parsable -N2 -t 10 --wrap 'exec sleep 1000')
wait_job 20 "$a" RUNNING
b=$(sbatch --parsable -J second -w n2 -t 5 --wrap 'exec sleep 1000')
c=$(sbatch --parsable -J third -N2 -t 5 --wrap true)
h=$(sbatch --parsable -J held -H --wrap true)
wait_for 20 planned "$b" && wait_for 20 planned "$c"
tap_ok $? 'jobs that wait get a start'
wait_for 20 eval 'near "$(start_of "$b")" "$(squeue -h -j "$a" -o %e)"'
tap_ok $? 'the second when the first must end'
tap_is $(($(seconds "$(start_of "$c")") - $(seconds "$(start_of "$b")"))) 300 'the third five minutes later, the time limit of the second'
run squeue -h --start
tap_is "$(awk '{ print $1, $3, $5, $7, $8 }' <<<"$out")" "$b second PD 1 n2
$c third PD 2 n[1-2]
$h held PD 1 (null)" 'the next one comes first, with the nodes planned for it; running jobs are left out'
tap_is "$(start_of "$h")" N/A 'one that is held has no start'
tap_is "$(scontrol show job "$c" | grep -o 'StartTime=[^ ]*')" "StartTime=$(start_of "$c")" 'scontrol show job says the same'
run squeue -h --start --me -o '%i %Y'
tap_is "$rc|$out" "0|$b n2
$c n[1-2]
$h (null)" 'a format of one'"'"'s own'

before=$(seconds "$(start_of "$c")")
scancel "$a"
wait_job 20 "$b" RUNNING
tap_ok $? 'the first is gone, the second runs'
wait_for 20 eval '[ "$(seconds "$(start_of "$c")")" -lt "$before" ] && near "$(start_of "$c")" "$(squeue -h -j "$b" -o %e)"'
tap_ok $? 'what comes after it is expected that much earlier'
scontrol update jobid="$b" timelimit=1
wait_for 20 eval 'near "$(squeue -h -j "$b" -o %e)" "$(start_of "$c")"'
tap_ok $? 'and again when a time limit is cut'
scontrol update nodename=n1 state=drain reason=look
wait_for 20 eval '! planned "$c"'
tap_is "$?|$(squeue -h --start -j "$c" -o %S)" '0|N/A' 'without a node it has no start'
scontrol update nodename=n1 state=resume
wait_for 20 planned "$c"
tap_ok $? 'until it is back'
ctld_kill9
ctld_start
wait_for 20 eval 'near "$(start_of "$c")" "$(squeue -h -j "$b" -o %e)"'
tap_ok $? 'a controller that was killed plans the same'
scancel "$b" "$c" "$h"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
