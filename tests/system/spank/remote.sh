#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plug-ins of plugstack.conf in the step daemon: in which order and as whom they are called, what they are told and
# change, and what becomes of a step whose plug-in fails, crashes, ends or hangs.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/plugins.sh
. "$(dirname "$0")/../plugins.sh"
at_exit cluster_end
cluster_conf 'n[1-2]' KillWait=1 PluginDir="$DIR/none:$DIR/plugins" UnkillableStepTimeout=10 SelectTypeParameters=CR_Core_Memory
cd "$DIR" || exit 1
plugin probe
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
s() { : >"$DIR/said"; run timeout 60 srun "$@" </dev/null; }
me=$(id -u)

s true
tap_is "$rc $err" '0 ' 'without plugstack.conf a step runs'
mkdir conf.d
printf '# plug-ins of this site\ninclude conf.d/*.conf\n' >plugstack.conf
printf 'required probe.so name=one log=%s/said\n' "$DIR" >conf.d/a.conf
printf 'optional %s/plugins/probe.so name=one log=%s/said # the same again\n' "$DIR" "$DIR" >conf.d/b.conf
s -n1 true
tap_is "$rc $err" '0 ' 'plug-ins of an included file are part of the next launch'
tap_is "$(grep remote= said | grep -Ev ' local | task_post_fork ' | uniq -c | sed 's/^ *//')" "2 one init remote remote=1 euid=$me option=-
2 one init_post_opt remote remote=1 euid=$me option=-
2 one user_init remote remote=1 euid=$me option=-
2 one task_init_privileged remote remote=1 euid=$me option=-
2 one task_init remote remote=1 euid=$me option=-
2 one task_exit remote remote=1 euid=$me option=-
2 one exit remote remote=1 euid=$me option=-" 'each callback is called, in its order' ||
        sort said | uniq -c | sed 's/^/# /'
tap_is "$(grep -oE ' task_(post_fork|init) ' said | tr -d '\n')" ' task_post_fork  task_post_fork  task_init  task_init ' \
        '... task_post_fork before any task goes on'
rm conf.d/b.conf

if [ "$me" = 0 ]; then
        chmod 755 "$DIR"
        chmod 666 said
        s --uid=nobody -n1 true
        tap_is "$rc $(grep ' remote ' said | sed -E 's/^one (\S+) .*euid=([0-9]+).*/\1=\2/' | sort | tr '\n' ' ')" \
                '0 exit=0 init=0 init_post_opt=0 task_exit=0 task_init=65534 task_init_privileged=0 task_post_fork=0 user_init=65534 ' \
                'as the user: user_init and task_init, as root: the others'
fi

# ---- items ----
stack() { printf '%s\n' "$@" | sed "s|LOG|log=$DIR/said|" >plugstack.conf; }
# shellcheck disable=SC2016
items() { grep "^$1 " said | sed "s/^$1 //"; }
stack 'required probe.so LOG items=task_init'
PROBED=x s -N2 -n2 -c2 --mem=100 echo hello
tap_is "$rc $(sort <<<"$out" | tr '\n' ' ')" '0 hello hello ' 'a step of two nodes'
job=$(items task_init | sed -n 's/^JOB_ID=//p' | head -1)
tap_is "$(items task_init | grep -v '^cores' | sort | uniq -c | sed -E 's/^ +//')" "2 JOB_ARRAY_ID=0
2 JOB_ARRAY_TASK_ID=0
2 JOB_ID=$job
2 JOB_LOCAL_TASK_COUNT=1
2 JOB_NNODES=2
1 JOB_NODEID=0
1 JOB_NODEID=1
2 JOB_STEPID=0
2 JOB_TOTAL_TASK_COUNT=2
2 SLURM_RESTART_COUNT=0
2 TASK_EXIT_STATUS=-1 Not available
1 TASK_GLOBAL_ID=0
1 TASK_GLOBAL_ID=1
2 TASK_ID=0 Success
2 TASK_PID yes Success
2 argc=2 argv0=echo last=hello
2 environment has PROBED=x
$(items task_init | grep '^gids' | uniq -c | sed 's/^ *//')
1 ids=99,99,0,99
1 ids=99,99,1,0
2 no such task: There is no such task or process
2 uid=$me gid=$(id -g) cpus=2 per_task=2
2 version=25.05.0 25/05/0" 'the items of a task'
tap_like "$(items task_init | grep '^cores')" '^cores=0-1/0-1 mem=100/100$' 'its cores and memory'
stack 'required probe.so LOG items=task_exit'
s -n2 sh -c 'exit $((SLURM_PROCID + 3))'
tap_is "$rc $(items task_exit | grep -E 'STATUS|^TASK_ID|^ids=|GLOBAL' | sort | tr '\n' ' ')" \
        "4 TASK_EXIT_STATUS=1024 Success TASK_EXIT_STATUS=768 Success TASK_GLOBAL_ID=0 TASK_GLOBAL_ID=1 TASK_ID=0 Success TASK_ID=1 Success ids=0,0,0,1 ids=1,1,0,1 " \
        'a task that has ended: its status and its numbers'
stack 'required probe.so LOG items=init in=remote'
echo '#!/bin/sh' >job
: >said
run sbatch -n2 -o "$DIR/out" -W job a bc
tap_is "$rc $(items init | grep -E 'STEPID|argc|^TASK_ID|JOB_NNODES' | tr '\n' ' ')" \
        "0 argc=3 argv0=$DIR/spool.n1/steps/$((job + 2)).0.batch/slurm_script last=bc JOB_STEPID=4294967291 JOB_NNODES=1 TASK_ID=-1 Not in a task " \
        'a batch script is a step, too'

# ---- what they change and say ----
stack 'required probe.so LOG environment prepend'
# shellcheck disable=SC2016
PROBE_GONE=here s sh -c 'echo "$PROBE_SET ${PROBE_GONE-gone} $PROBE_PREPENDED"'
tap_is "$rc $out" '0 by plug-in gone yes' 'the environment and the arguments of the task are changed'
tap_is "$(grep -E '^(again|short|none|set|prepend)' said | tr '\n' ';')" \
        'again: The variable is set already;short: The buffer is too small;none: The variable is not set;set: by plug-in;prepend: Success;' \
        '... as the answers of the functions say'
stack 'required probe.so name=N LOG say=task_init'
s true
tap_is "$rc $(grep -v srun <<<"$err" | tr '\n' ';')" '0 slurmstepd: error: an error of N;slurmstepd: a word of N;' \
        'errors and words are shown'
stack 'required probe.so name=N LOG say=init'
s --slurmd-debug=debug true
tap_like "$rc $(grep slurmstepd: <<<"$err" | tr '\n' ';')" \
        '^0 slurmstepd: error: an error of N;slurmstepd: a word of N;slurmstepd: an info of N;.*slurmstepd: a debug word of N' \
        '... the rest by --slurmd-debug'

# ---- failures ----
for callback in init init_post_opt user_init task_post_fork; do
        stack "required probe.so LOG fail=$callback" "required probe.so name=second LOG"
        s touch ran
        tap_like "$rc $err" "^1 .*plug-in $DIR/plugins/probe.so: slurm_spank_$callback\(\) failed with -3" "a required plug-in fails in $callback: no task runs"
        tap_ok "$([ ! -e ran ]; echo $?)" '... indeed'
done
for callback in task_init_privileged task_init; do
        stack "required probe.so LOG fail=$callback"
        s -n2 touch ran
        tap_like "$rc $err" "^1 .*slurmstepd: error: plug-in .*probe.so: slurm_spank_$callback\(\) failed with -3" "... in $callback: the task ends"
done
for callback in task_exit exit; do
        stack "required probe.so LOG fail=$callback"
        s sh -c 'exit 4'
        tap_like "$rc $err" "^4 .*slurmstepd: error: plug-in .*slurm_spank_$callback\(\) failed with -3" "... in $callback: the exit code stays"
done
stack 'optional probe.so LOG fail=user_init' 'optional probe.so name=two LOG fail=task_init' 'optional missing.so'
s echo on
tap_like "$rc $out $err" '^0 on .*missing.so.*\(optional: going on' 'an optional one fails or is missing: it is said'
tap_like "$err" 'user_init\(\) failed with -3 \(optional: going on\)' '... for each callback'
tap_is "$(sinfo -h -o %T)" idle 'no node is drained by any of that'

# ---- crashes ----
for callback in user_init task_post_fork task_exit exit; do
        stack "optional probe.so LOG crash=$callback in=remote"
        s sleep 0
        tap_like "$rc $err" "^[1-9][0-9]* .*plug-in $DIR/plugins/probe.so: slurm_spank_$callback\(\) crashed \(signal 11\)" "a crash in $callback ends the step, by name"
done
stack 'optional probe.so LOG crash=task_init'
s sleep 0
tap_like "$rc $err" '^139 .*slurmstepd: error: plug-in .*probe.so: slurm_spank_task_init\(\) crashed: signal 11' '... in task_init: the task'
stack 'optional probe.so LOG exit=user_init'
s sleep 0
tap_like "$rc $err" '^1 .*slurm_spank_user_init\(\) has ended the step daemon' '... so does a plug-in that calls exit()'
stack 'optional probe.so LOG hang=user_init'
: >said
srun sleep 0 2>err &
pid=$!
wait_for 20 grep -q user_init said
scancel "$(squeue -h -o %A)"
wait_for 20 gone $pid
tap_ok $? 'a step whose plug-in hangs is cancelled'
wait_for 20 grep -q 'does not return' log/n1 log/n2
tap_ok $? '... and its step daemon is killed'
wait_nodes 20 'n[1-2]' idle
tap_ok $? '... the node is free again'
rm plugstack.conf
s echo well
tap_is "$rc $out" '0 well' 'the next step runs'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
