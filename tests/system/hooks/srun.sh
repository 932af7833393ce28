#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SrunProlog, SrunEpilog, --prolog, --epilog: on srun's host, around the step, which does not begin
# before; failures, signals, kills of srun and of the controller meanwhile.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
program() { printf '#!/bin/sh\n%s\n' "$2" >"$DIR/$1" && chmod 755 "$DIR/$1"; }
s() { run timeout 60 srun "$@" </dev/null; }
cluster_conf 'n[1-2]' KillWait=1 "SrunProlog=$DIR/site" "SrunEpilog=$DIR/site"
cd "$DIR" || exit 1
env='$SLURM_SCRIPT_CONTEXT $SLURM_JOB_ID.$SLURM_STEP_ID $SLURM_JOB_NODELIST $SLURM_STEP_NODELIST'
program site 'echo "'"$env"' $SLURM_STEP_NUM_TASKS $*" >>'"$DIR/said"
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
export SLUMBER_SOCKET=$DIR/n1.sock

s -N2 -n2 sh -c "echo task >>$DIR/said" a
tap_is "$rc $err|$(cat said)" "0 |prolog_srun 1.0 n[1-2] n[1-2] 2 sh -c echo task >>$DIR/said a
task
task
epilog_srun 1.0 n[1-2] n[1-2] 2 sh -c echo task >>$DIR/said a" 'both of slurm.conf, around the tasks'
tap_is "$(scontrol show config | awk '/^Srun(Pro|Epi)log/ { print $3 }' | paste -sd,)" \
        "$DIR/site,$DIR/site" 'show config'
rm said
s --prolog=none --epilog=NONE true
tap_ok "$([ "$rc" = 0 ] && [ ! -e said ]; echo $?)" '--prolog=none and --epilog=none run nothing'
program own 'cat; echo "own $SLURM_SCRIPT_CONTEXT"'
run timeout 60 srun --prolog=own --epilog="$DIR/own" cat <<<input
tap_is "$rc $err|$out" '0 |own prolog_srun
input
own epilog_srun' 'options go before slurm.conf; the input is the tasks'"'"''
SLURM_PROLOG=own SLURM_EPILOG=$DIR/own s true
tap_is "$out" 'own prolog_srun
own epilog_srun' 'SLURM_PROLOG and SLURM_EPILOG'
run timeout 60 salloc -N2 sh -c 'srun -n1 -N1 true; srun -N1 -n1 true' </dev/null
tap_like "$(cut -d' ' -f1,2 said | paste -sd,)" \
        '^prolog_srun ([0-9]+).0,epilog_srun \1.0,prolog_srun \1.1,epilog_srun \1.1$' 'each step has its own'
rm said
cp /bin/true copied
s --bcast="$DIR/copy" ./copied
tap_is "$rc $(wc -l <said)" '0 2' 'the copy of --bcast has none'

# ---- failures ----
program fails 'exit 3'
s --prolog="$DIR/fails" --epilog=own touch ran
tap_is "$rc $out|$err" '1 own epilog_srun|srun: error: srun prolog failed rc = 3. Aborting step.' \
        'a prolog that fails ends the step, and srun fails; the epilog runs'
program killed 'kill -9 $$'
s --prolog="$DIR/killed" --epilog=none touch ran
tap_is "$rc $err" '1 srun: error: script did not exit normally
srun: error: srun prolog failed rc = 1. Aborting step.' 'one that is killed has failed'
tap_ok "$([ ! -e ran ]; echo $?)" 'the tasks of none of these have run'
s --prolog=none --epilog="$DIR/fails" sh -c 'exit 5'
tap_like "$rc $(paste -sd' ' <<<"$err")" '^5 .*srun: error: srun epilog failed status=3$' 'a failed epilog is said only'
s --prolog=/none/there touch ran
tap_is "$rc $err" '1 srun: error: Access denied for /none/there: No such file or directory' \
        'a program that is missing is refused'
s --epilog=/tmp true
tap_is "$rc $err" '1 srun: error: Access denied for /tmp: Is a directory' 'so is a folder'
chmod o+w site
s --epilog=none touch ran
tap_like "$rc $(paste -sd' ' <<<"$err")" "^1 srun: error: SrunProlog: .*site may be written by .*rc = 127. Aborting step.$" \
        'SrunProlog that another user can change does not run, nor does the step'
chmod o-w site
tap_ok "$([ ! -e ran ]; echo $?)" '... of either'
tap_is "$(squeue -h)" '' 'no job is left'

# ---- while it runs ----
program hold 'echo $$ >'"$DIR"'/at.new; mv at.new at; while [ -e '"$DIR"'/stay ]; do sleep 0.05; done'
held() { # OPTION...: srun in its prolog, in the background
        touch "$DIR/stay"
        rm -f at ran
        srun --prolog="$DIR/hold" --epilog=none -N2 "$@" <"${input:-/dev/null}" >held.out 2>held.err &
        srun=$!
        wait_for 20 test -e at
}
over() { wait "$srun"; rc=$?; }
held touch ran
j=$(squeue -h -o %A)
tap_is "$(squeue -h -s -o %i)|$(ls ran 2>&1 | grep -c 'No such')" "$j.0|1" 'the step is there, its tasks are not'
kill -TERM "$srun"
over
tap_is "$rc $(paste -sd' ' held.err)|$(ls ran 2>/dev/null)" \
        '1 srun: error: script did not exit normally srun: error: srun prolog failed rc = 1. Aborting step.|' \
        'a signal ends the prolog, and the step'
program cleans "exec 2>/dev/null; trap 'exit 0' TERM; touch at; while :; do sleep 0.05; done"
rm -f at
srun --prolog=cleans --epilog=none touch ran </dev/null 2>held.err &
srun=$!
wait_for 20 test -e at
kill -TERM "$srun"
over
tap_is "$rc $(cat held.err)|$(ls ran 2>/dev/null)" '1 srun: error: srun prolog failed rc = 1. Aborting step.|' \
        'also where the prolog ends with 0 then'
held touch ran
kill -KILL "$srun"
wait "$srun" 2>/dev/null
rm stay
wait_for 20 no_jobs
tap_is "$?|$(ls ran 2>/dev/null)" '0|' 'the step of a srun that is killed ends'
held touch ran
scancel "$(squeue -h -o %A).0"
over
tap_like "$rc $(cat held.err)|$(ls ran 2>/dev/null)" '^137 .*Force Terminated StepId=[0-9]+.0\|$' 'scancel of the step'
wait_for 20 gone "$(cat at)"
tap_ok $? '... ends the prolog'
wait_for 20 no_jobs
held -t 10 touch ran
j=$(squeue -h -o %A)
scancel "$j"
over
tap_like "$rc $(ls ran 2>/dev/null)" '^[1-9][0-9]* $' 'scancel of the job'
wait_for 20 no_jobs

# a step that is released while its job is suspended is launched when that goes on
release_suspended() { # its srun has let it go, and the controller keeps it
        j=$(squeue -h -o %A)
        scontrol suspend "$j"
        wait_job 20 "$j" SUSPENDED
        rm stay
        wait_for 20 grep -q "StepId=$j.0 is launched when its job goes on" log/ctld
}
held sh -c 'echo done'
release_suspended
scontrol resume "$j"
over
tap_is "$rc $(paste -sd, held.out)" '0 done,done' 'a step that is released while its job is suspended begins with that'
wait_for 20 no_jobs
held touch ran
release_suspended
scancel "$j.0"
scontrol resume "$j"
over
tap_like "$rc $(ls ran 2>/dev/null)" '^137 $' '... and one that is cancelled meanwhile does not'
wait_for 20 no_jobs

held sh -c 'echo done'
ctld_kill9
ctld_start && wait_nodes 20 'n[1-2]' 'allocated|mixed'
rm stay
over
tap_is "$rc $(paste -sd, held.out)|$(grep -c ': error' held.err)" '0 done,done|0' \
        'a kill -9 of the controller during the prolog loses nothing'
held sh -c 'echo done'
ctld_kill9
rm stay
wait_for 20 gone "$(cat at)"
ctld_start
over
tap_is "$rc $(paste -sd, held.out)|$(grep -c ': error' held.err)" '0 done,done|0' \
        'nor when the prolog ends while it is dead'
held sh -c 'echo done'
agent_kill9 n1
agent_start n1
wait_for 20 test -S "$DIR/n1.sock"
rm stay
over
tap_is "$rc $(paste -sd, held.out)|$(grep -c ': error' held.err)" '0 done,done|0' \
        'nor of the slumberd of srun'"'"'s host'
for first in controller srun; do # of which n1 hears that it has gone
        held touch ran
        kill -STOP "$(cat run/n1.pid)"
        [ "$first" = controller ] || kill -KILL "$srun"
        ctld_kill9
        kill -CONT "$(cat run/n1.pid)"
        if [ "$first" = controller ]; then
                wait_for 20 grep -q 'Unable to contact slurm controller' held.err
                kill -KILL "$srun"
        fi
        wait "$srun" 2>/dev/null
        ctld_start
        rm stay
        wait_for 60 no_jobs
        tap_is "$?|$(ls ran 2>/dev/null)" '0|' "both killed, the $first first: the step ends without having begun"
done
wait_nodes 30 'n[1-2]' idle

held sh -c 'cat; echo done'
j=$(squeue -h -o %A)
scontrol suspend "$j"
rm stay
wait_for 20 gone "$(cat at)"
wait_for 20 eval '[ "$(job_state $j)" = SUSPENDED ]'
tap_is "$(cat held.out)" '' 'nothing of a suspended job begins after its prolog'
scontrol resume "$j"
over
tap_is "$rc $(paste -sd, held.out)" '0 done,done' '... before the job is resumed; its tasks hear of the end of their input'
echo line >input
input=input held cat
j=$(squeue -h -o %A)
scontrol suspend "$j"
rm stay
wait_for 20 grep -q '^pos:.*[1-9]' "/proc/$srun/fdinfo/0"
wait_for 20 eval '[ "$(job_state $j)" = SUSPENDED ]'
scontrol resume "$j"
over
tap_is "$rc $(paste -sd, held.out)" '0 line,line' '... and get the input that srun has read meanwhile'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
