#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is left of jobs, and where: scontrol completing, scontrol listpids.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-3]'
cluster_up 'a controller and its nodes' n1 n2 n3

# ---- completing ----
run scontrol completing
tap_is "$rc|$out|$err" '0||' 'no job is ending'
a=$(sbatch --parsable -N3 -o none --wrap 'srun sleep 1000') && wait_job 20 "$a" RUNNING && wait_for 20 eval '[ "$(squeue -hs | wc -l)" = 2 ]'
tap_is "$?|$(scontrol completing)" '0|' 'one that runs is not'
at_exit kill -CONT "$(_pid n2)" "$(_pid n3)"
kill -STOP "$(_pid n2)" "$(_pid n3)"
scancel "$a"
wait_for 20 eval 'scontrol completing | grep -q "=n\[2-3\] $"'
tap_like "$?|$(scontrol completing)" "^0\\|JobId=$a EndTime=20[0-9T:-]{17} CompletingTime=00:00:[0-9]{2} Nodes\\(COMPLETING\\)=n\\[2-3\\] \$" \
        'nodes that have not said that nothing is left there'
tap_is "$(SLURM_TIME_FORMAT=x scontrol completing | cut -d' ' -f2)" EndTime=x 'SLURM_TIME_FORMAT holds'
kill -CONT "$(_pid n2)" "$(_pid n3)"
wait_for 20 eval '[ -z "$(scontrol completing)" ]'
tap_ok $? 'until they have'
run scontrol completing now
tap_is "$rc|$out|$err" '1||too many arguments for keyword:completing' 'another word is refused'

# ---- listpids ----
root=$([ "$(id -u)" = 0 ] && echo yes)
pids() { # NODE WORD...
        SLUMBER_SOCKET=$DIR/$1.sock run scontrol listpids "${@:2}"
}
b=$(sbatch --parsable -w n1 -n2 -o none --wrap 'sleep 1000 & srun sleep 999') && wait_for 20 eval 'squeue -hs | grep -q "^ *$b.0 "'
tap_ok $? 'a job with a step'
of() { # PIDS: their commands
        local p
        for p; do tr '\0' ' ' <"/proc/$p/cmdline"; done
}
sleeps() { pids n1 "$b.0" && [ "$(of $(awk 'NR > 1 { print $1 }' <<<"$out"))" = 'sleep 999 sleep 999 ' ] && ! grep -q ' - ' <<<"$out"; }
wait_for 20 sleeps
tap_is "$?|$rc|$(sed 's/^[0-9]*  */PID /' <<<"$out")" "0|0|PID      JOBID    STEPID   LOCALID GLOBALID
PID $b        0        0       0       
PID $b        0        1       1       " 'the processes of a step, and which tasks they are'
pids n1 "$b"
tap_is "$rc|$(awk -v j="$b" '$2 == j { print $3, $4, $5 }' <<<"$out" | sort | uniq -c | sed 's/^ *//' | paste -sd'|')" \
        '0|1 0 0 0|1 0 1 1|2 batch - -|1 batch 0 0' 'of a job: its script is a task, what that has started is none'
pids n1 "$b.batch" n1
tap_is "$rc|$(grep -c " batch " <<<"$out")" '0|3' 'of its script, on this node'
all=$out
pids n1 '*' n1
tap_is "$rc|$(wc -l <<<"$out")" '0|6' 'of all jobs'
pids n1 99
tap_is "$rc|$err" '1|There are no steps for job 99 on node n1.' 'a job that is not there'
pids n1 "$b.7"
tap_is "$rc|$err" "1|StepId=$b.7 does not exist on node n1." 'a step that is not there'
pids n2 "$b"
tap_is "$rc|$err" "1|There are no steps for job $b on node n2." 'or is on another node'
pids n2 "$b" n1
tap_like "$rc|$err" '^1\|this host is node n2, not n1' 'which is refused'
pids n1 soon
tap_is "$rc|$out|$err" '1||"soon" does not look like a jobid' 'so is what is no job'
pids n1 "${b}_*"
tap_is "$rc|$out|$err" "1||\"${b}_*\" does not look like a jobid" 'and the tasks of an array, which have ids of their own'
pids n1 1 n1 n1
tap_is "$rc|$out|$err" '1||too many arguments for keyword:listpids' 'and a word too many'
run scontrol listpids
tap_like "$rc|$out|$err" '^1\|\|no slumberd answers on this host' 'the controller does not know'
if [ "$root" ]; then
        chmod 755 "$DIR"
        as_nobody() { SLUMBER_SOCKET=$DIR/n1.sock run stranger "$SLUMBER_BUILD/commands/slumber" "$@"; }
        as_nobody scontrol listpids
        tap_is "$rc|$(wc -l <<<"$out")" '0|1' 'a user is not told of the jobs of others'
        as_nobody sbatch --parsable -w n1 -D / -o /dev/null --wrap 'sleep 998'
        c=$out
        wait_for 20 eval 'as_nobody scontrol listpids && [ "$(wc -l <<<"$out")" = 3 ]'
        tap_is "$?|$(awk 'NR > 1 { print $2, $4 }' <<<"$out" | paste -sd'|')" "0|$c 0|$c -" 'but of the own ones'
        pids n1
        tap_is "$rc|$(wc -l <<<"$out")" '0|8' 'root is told of all'
        scancel "$c"
fi
agent_kill9 n1 && agent_start n1 && wait_for 20 eval 'pids n1 "$b.batch"; [ "$out" = "$all" ]'
tap_ok $? 'an agent that is started again knows them'
scancel "$b"

cluster_sound
tap_ok $? 'no daemon has failed' || cluster_logs
tap_done
