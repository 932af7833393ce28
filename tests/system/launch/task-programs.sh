#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# TaskProlog and TaskEpilog, --task-prolog and --task-epilog: what they see, what they change, how they fail.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-2]' KillWait=1
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
s() { run timeout 60 srun "$@" </dev/null; }
program() { printf '#!/bin/sh\n%s\n' "$2" >"$DIR/$1" && chmod 755 "$DIR/$1"; }

program prolog 'echo "print $SLURM_SCRIPT_CONTEXT $SLURM_PROCID of $SITE"
test "$SLURM_TASK_PID" = "$PPID" || exit 9
echo "export A=hello  world"
echo "export BOTH=prolog"
echo "export EMPTY="
echo " export INDENT=1"
echo "export NOTHING"
echo "unset GONE"
echo "something else"
echo "to nobody" >&2
printf "export LAST=unended"'
program epilog 'echo "$SLURM_SCRIPT_CONTEXT $SLURM_PROCID $A $(pwd)" >>'"$DIR"'/said; echo not seen; echo nor this >&2'
export GONE=here
# shellcheck disable=SC2016
show='echo "A=$A BOTH=$BOTH LAST=$LAST EMPTY=${EMPTY-unset} INDENT=$INDENT NOTHING=${NOTHING-unset} GONE=$GONE ctx=$SLURM_SCRIPT_CONTEXT"; exit 4'
s -N2 -l --task-prolog="$DIR/prolog" --task-epilog="$DIR/epilog" sh -c "$show"
tap_is "$rc|$(sort <<<"$out")" "4|$(printf '%s\n' '0: A=hello  world BOTH=prolog LAST=unended EMPTY= INDENT= NOTHING=unset GONE= ctx=' '0: prolog_task 0 of ' \
        '1: A=hello  world BOTH=prolog LAST=unended EMPTY= INDENT= NOTHING=unset GONE= ctx=' '1: prolog_task 1 of ')" \
        'what the prolog prints is done, and the exit code is the task'"'"'s'
tap_ok "$(grep -qE 'to nobody|not seen|nor this' <<<"$out $err"; [ $? = 1 ]; echo $?)" 'what they say else is not'
tap_is "$(sort said)" "epilog_task 0  $DIR
epilog_task 1  $DIR" 'the epilog ran for each task, in its folder, without the prolog'"'"'s variables'

program fails 'echo "print failing"; exit 3'
rm -f said
s --task-prolog="$DIR/fails" --task-epilog="$DIR/epilog" touch ran
tap_like "$rc $out|$err" '^3 failing\|.*slurmstepd: error: --task-prolog failed status=3' 'a prolog that fails is the end of its task'
tap_ok "$([ ! -e ran ] && [ -e said ]; echo $?)" '... which does not run; its epilog does'
s --task-prolog="$DIR/none" touch ran
tap_like "$rc $err" '^1 .*--task-prolog .*/none cannot be run: No such file' 'nor does the task of a prolog that is missing'
s --task-prolog=prolog touch ran
tap_like "$rc $err" '^255 .*--task-prolog specification: "prolog" is not an absolute path' 'a name without a folder is refused'
tap_ok "$([ ! -e ran ]; echo $?)" 'no task of these has run'
# What has told its pid has ended.
ended() { [ -s pid ] && gone "$(cat pid)"; }
program background 'sleep 1000 & echo $! >'"$DIR"'/pid; echo export A=1'
# shellcheck disable=SC2016
s --task-prolog="$DIR/background" sh -c 'echo "A=$A"'
tap_is "$rc $out" '0 A=1' 'what a prolog leaves in the background holds nothing up'
ended
tap_ok $? '... and ends with the step'
rm -f pid
program killed 'kill -9 $$'
s --task-epilog="$DIR/killed" true
tap_like "$rc $err" '^0 .*slurmstepd: error: --task-epilog failed status=9' 'an epilog that fails is said only'
s --task-epilog="$DIR/none" true
tap_like "$rc $err" '^0 .*slurmstepd: error: --task-epilog .*/none cannot be run' '... so is one that is missing'
program long 'sleep 1000 & echo $! >'"$DIR"'/pid; wait'
s --task-epilog="$DIR/long" true
tap_like "$rc $err" '^0 .*--task-epilog failed status=9' 'one that does not end is killed'
ended
tap_ok $? '... with what it has started'
rm -f said
SLURM_TASK_PROLOG=$DIR/prolog SLURM_TASK_EPILOG=$DIR/epilog s sh -c "$show"
tap_like "$rc $(paste -sd" " <<<"$out") $(cat said)" '^4 .*A=hello  world.*epilog_task 0' 'SLURM_TASK_PROLOG and SLURM_TASK_EPILOG'

# ---- of slurm.conf ----
program site 'echo "print site"; echo "export SITE=us"; echo export BOTH=site'
program siteend 'echo "site $SLURM_SCRIPT_CONTEXT" >>'"$DIR"'/said'
printf '%s\n' "TaskProlog=$DIR/site" "TaskEpilog=$DIR/siteend" >>slurm.conf
run scontrol reconfigure
tap_is "$rc $err" '0 ' 'TaskProlog and TaskEpilog are taken over while all runs'
tap_is "$(scontrol show config | awk '/^Task(Pro|Epi)log/ { print $3 }' | paste -sd,)" "$DIR/siteend,$DIR/site" 'show config'
rm -f said
s --task-prolog="$DIR/prolog" --task-epilog="$DIR/epilog" sh -c "$show"
tap_like "$rc $(paste -sd' ' <<<"$out")" '^4 site prolog_task 0 of us A=.*BOTH=prolog' 'TaskProlog runs first'
tap_is "$(paste -sd, said)" "epilog_task 0  $DIR,site epilog_task" 'TaskEpilog last'
rm -f said
# shellcheck disable=SC2016
run sbatch -W -o out --wrap 'echo "SITE=$SITE"'
tap_is "$rc $(paste -sd, out) $(cat said)" '0 site,SITE=us site epilog_task' 'both for a batch script, too'
chmod 777 site siteend; rm -f said
s touch ran
tap_is "$rc|$([ -e ran ] || echo no)|$(paste -sd' ' <<<"$err")" "1|no|slurmstepd: error: TaskProlog is not run: $DIR/site may be written by its group or others \
slurmstepd: error: TaskProlog failed status=1 slurmstepd: error: TaskEpilog $DIR/siteend is not run: others than root and the job's user can change it \
srun: error: n1: task 0: Exited with exit code 1" 'programs of the site that others can change are not run' || echo "$err"
[ ! -e said ]
tap_ok $? '... neither of them'
chmod 755 site siteend
chown 4711 site 2>/dev/null
s true
tap_is "$rc $(cat said)" '0 site epilog_task' 'one that belongs to another user, as to SlurmUser, is run'
chown "$(id -u)" site
program siteend true
chmod 777 prolog
program site true
s --task-prolog="$DIR/prolog" true
tap_is "$rc" 0 'those of the user may be anything'
program site 'exit 5'
run sbatch -W -o out --wrap 'echo ran'
tap_like "$rc $(cat out)" '^5 slurmstepd: error: TaskProlog failed status=5' 'a task ends with its failing prolog'
sed -i "s,^TaskProlog=.*,TaskProlog=site," slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '^1 .*TaskProlog: "site" is not an absolute path' 'a path that is not absolute is refused'
tap_done
