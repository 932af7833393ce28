#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun A : B within an allocation is one step of several components, each on nodes of its own:
# begun together, shown apart, ended as one, also where the controller is killed meanwhile.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' SelectTypeParameters=CR_CPU KillWait=1 \
        AccountingStorageType=accounting_storage/slurmdbd \
        'NodeName=n[1-4] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
cluster_up 'four nodes' n1 n2 n3 n4
salloc -N4 --exclusive --no-shell -J het 2>err
id=$(squeue -h -o %A)
export SLURM_JOB_ID=$id

steps() { squeue -h -s -o '%i %j %N %A' | sort; }
begun() { [ "$(steps | wc -l)" = "$1" ]; }
none() { [ -z "$(steps)" ]; }

# ---- one world ----
# shellcheck disable=SC2016 # the tasks' shells expand it
show='echo $SLURMD_NODENAME $SLURM_PROCID/$SLURM_NTASKS $SLURM_NODEID/$SLURM_NNODES $SLURM_LOCALID \
        $SLURM_STEP_NODELIST $SLURM_STEP_TASKS_PER_NODE $SLURM_JOB_NODELIST $SLURM_JOB_NUM_NODES'
run srun -l -N1 -n2 sh -c "$show" : -N2 -n3 sh -c "$show"
tap_is "$rc $(sort <<<"$out")" '0 0: n1 0/5 0/3 0 n[1-3] 2(x2),1 n[1-3] 3
1: n1 1/5 0/3 1 n[1-3] 2(x2),1 n[1-3] 3
2: n2 2/5 1/3 0 n[1-3] 2(x2),1 n[1-3] 3
3: n2 3/5 1/3 1 n[1-3] 2(x2),1 n[1-3] 3
4: n3 4/5 2/3 0 n[1-3] 2(x2),1 n[1-3] 3' 'tasks of two components are numbered through, on nodes of their own'
# shellcheck disable=SC2016
run srun -l -w n3 -n2 sh -c 'echo $SLURMD_NODENAME' : -w 'n[1-2]' -n3 sh -c 'echo $SLURMD_NODENAME'
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: n3,1: n3,2: n1,3: n1,4: n2' 'the first component has the first tasks, wherever it is'
# shellcheck disable=SC2016
run srun -l -n1 sh -c 'echo $SLURMD_NODENAME' : -w n1 sh -c 'echo $SLURMD_NODENAME'
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: n2,1: n1' 'a component leaves another one the node that it must have'
# shellcheck disable=SC2016
run srun -l -n2 : sh -c 'echo $SLURMD_NODENAME'
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: n1,1: n1,2: n2' 'a component without a program has the next one'"'s"
run srun -l -J eins -D / pwd : -N1 pwd
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: /,1: /' 'what is carried over counts for later components'
run srun -n1 echo a : -n1 echo b : -n1 echo c : -n1 echo d
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 a,b,c,d' 'four components'
echo one >in
run srun -l -n1 cat : -n2 cat <in
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: one,1: one,2: one' 'all tasks have the standard input'

# ---- files ----
run srun -l -n1 echo x : --bcast="$PWD/copy" echo y
tap_is "$rc $(sort <<<"$out" | paste -sd,) $(sacct -n -P -j "$id" -o jobid,nodelist | grep bcast)" "0 0: x,1: y $id.bcast0|n[1-4]" 'a component may have a copy of its program'
run srun -l -n1 printenv SLURMD_NODENAME : -m arbitrary -w n2,n1,n2 printenv SLURMD_NODENAME
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: n3,1: n2,2: n1,3: n2' '... or list the nodes of its tasks'
run srun -n2 -o 'file.%t.%n' echo x : -n1 echo y
tap_is "$rc $(echo file.*) $(cat file.2.1)" '0 file.0.0 file.1.0 file.2.1 y' 'patterns count through'
run srun -o both echo x : echo y
tap_is "$rc $(sort both | paste -sd,)" '0 x,y' 'an output file is carried over, and has both'
run srun -o both echo x : echo y
tap_is "$rc $(sort both | paste -sd,)" '0 x,x,y,y' '... and is appended to'
run srun -o first echo x : -o second echo y
tap_is "$rc $(cat first) $(cat second)" '0 x y' 'a component may have a file of its own'
run srun echo x : -o last.%J echo y
tap_is "$rc $out $(cat last.*)" '0 x y' '... or alone one'

# ---- codes ----
run srun sh -c 'exit 3' : sh -c 'exit 2'
tap_is "$rc" 3 'the exit code is the highest of all'
run srun -K -n1 sh -c 'exit 5' : -n2 sleep 100
tap_like "$rc $err" 'n2: task.* Terminated' '--kill-on-bad-exit ends all components'
run srun -W1 true : sleep 100
tap_like "$err" 'srun: First task exited 1s ago' '--wait counts for all components'

# ---- shown, and ended ----
srun -J eins -n1 sleep 100 : -J zwei -n2 sleep 100 2>killed &
pid=$!
wait_for 20 begun 2
step=$(squeue -h -s -o %i | sed -n 's/+0//p')
tap_is "$(steps)" "$step+0 eins n1 1
$step+1 zwei n2 2" 'squeue -s has a line for each component'
tap_like "$(scontrol show step "$step" | paste -sd' ')" "StepId=$step\\+0 .*NodeList=n1 .*Tasks=1 Name=eins .*StepId=$step\\+1 .*NodeList=n2 .*Tasks=2 Name=zwei" 'so has scontrol show step'
tap_is "$(squeue -h "--steps=$step" -o %i | sort | paste -sd,)" "$step+0,$step+1" 'the step is both of them'
tap_is "$(sstat -n -P -o jobid,ntasks,nodelist "$step" | paste -sd,)" "$step+0|1|n1,$step+1|2|n2" 'sstat has both'
tap_is "$(sstat -n -P -o jobid,nodelist "$step+1")" "$step+1|n2" '... or one of them'
tap_is "$(scontrol show step "$step+1" | grep -o 'StepId=[^ ]*')" "StepId=$step+1" 'as has scontrol show step'
run sbcast -fv -j "$step" "$0" "$PWD/copied"
tap_is "$rc $(grep -o 'sbcast: n[^ ]*: .*' <<<"$err" | sort | paste -sd,)" "0 sbcast: n1: $PWD/copied,sbcast: n2: $PWD/copied" 'sbcast to the step is to the nodes of both'
run scontrol show step "$step+7"
tap_is "$rc $out" "1 Job step $step+7 not found" 'there is no more'
tap_is "$(sacct -n -P -j "$id" -o jobid,state | grep "$step+" | paste -sd,)" "$step+0|RUNNING,$step+1|RUNNING" 'sacct has both while they run'
tap_is "$(sacct -n -P -j "$step+1" -o jobid,nodelist)" "$step+1|n2" '... or one alone'
run scancel "$step+1"
tap_is "$rc $err" "1 scancel: error: Invalid job id $step+1: a component of a heterogeneous step does not end alone, $step is the whole step" \
        'one component alone cannot be cancelled'
run sattach "$step+1"
tap_like "$rc $err" '^1 .*is a component of a step: its streams are those of the whole' '... nor attached to'
ctld_kill9
ctld_start
wait_nodes 30 n1 allocated
tap_is "$(steps)" "$step+0 eins n1 1
$step+1 zwei n2 2" 'both are known after kill -9 of the controller'
scancel "$step"
wait "$pid"
tap_is "$?" 143 'scancel ends all components'
wait_for 20 none
tap_ok $? 'no component is left'
ended() { [ "$(sacct -n -P -j "$id" -o jobid,state | grep -c "$step+.*CANCELLED by")" = 2 ]; }
wait_for 20 ended
tap_ok $? 'sacct has them as cancelled'
tap_is "$(sacct -n -P -j "$id" -o jobid,jobname,ntasks,nodelist | grep "^$step+" | paste -sd,)" \
        "$step+0|eins|1|n1,$step+1|zwei|2|n2" '... each with its name, tasks and nodes'

# ---- exit codes ----
# The first component ends when srun has told of the end of the second one.
srun sh -c 'until grep -q "exit code 3" codes; do sleep 0.1; done' : sh -c 'exit 3' 2>codes
tap_is "$?" 3 'the second component fails'
step=$(sacct -n -P -j "$id" -o jobid | sed -n 's/+1$//p' | tail -1)
codes() { [ "$(sacct -n -P -j "$id" -o jobid,state,exitcode | grep "^$step+" | paste -sd,)" = "$step+0|COMPLETED|0:0,$step+1|FAILED|3:0" ]; }
wait_for 10 codes
tap_ok $? 'sacct has the exit code of each component'

# ---- over a restart ----
srun -l -n1 sh -c 'until [ -e go ]; do sleep 0.1; done; echo x; exit 4' : \
        -n2 sh -c 'until [ -e go ]; do sleep 0.1; done; echo y' >outlived 2>err &
pid=$!
wait_for 20 begun 2
ctld_kill9
touch go
ctld_start
wait "$pid"
tap_is "$? $(sort outlived | paste -sd,)" '4 0: x,1: y,2: y' 'a step that ends while the controller is dead has its end and its output'
wait_for 20 none
tap_ok $? 'the step is gone'

# ---- waiting ----
srun -w n2 sleep 100 2>err &
pid=$!
wait_for 20 begun 1
run srun -I -N2 true : -N2 true
tap_like "$rc $err" 'Requested nodes are busy' '--immediate: all components now, or none'
srun -N2 echo x : -N2 echo y >waited 2>waiting &
waits=$!
wait_for 20 grep -q 'temporarily disabled' waiting
tap_is "$? $(squeue -h -s | wc -l)" '0 1' 'components wait for each other'
kill "$pid"
wait "$waits"
tap_is "$? $(sort waited | paste -sd,)" '0 x,x,y,y' '... and begin together'

# ---- what components take ----
begun_all() { [ "$(squeue -h -s -o %i | wc -l)" = 4 ]; }
srun --exact -n1 sleep 100 : -n2 -c1 sleep 100 2>err &
first=$!
srun --exact -n2 sleep 100 : -n2 -c1 sleep 100 2>err &
second=$!
wait_for 20 begun_all
tap_is "$? $(squeue -h -s -o %N | sort | paste -sd,)" '0 n1,n1,n2,n2' 'by --exact components of two steps share nodes'
tap_is "$(scontrol show step | sed -n 's/.* CPUs=\([0-9]*\) .*/\1/p' | sort | paste -sd,)" '1,2,2,2' '... each with its own CPUs'
kill "$first" "$second"
wait "$first" "$second"
wait_for 20 none

# ---- refused ----
refused() { # TEXT OPTION...
        local text=$1
        shift
        run srun "$@"
        tap_like "$rc $err" "^1 .*$text" "refused: srun $*"
}
refused 'No command given to execute' -N1 true :
refused 'do not do for all components' -N3 true : -N2 true
refused 'do not do for all components' -w n1 true : -w n1 true
refused 'More processors requested than permitted' -N1 true : -n9 -N1 true
refused 'multi-prog is not for a step of several components' --multi-prog script : true
refused 'wait is for all components' true : -W3 true
refused 'nothing that is not part of a job' -Z true : true
unset SLURM_JOB_ID
export SLURM_JOB_ID=$id
tap_is "$(steps)" '' 'nothing has begun of what was refused'
scancel "$id"
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
