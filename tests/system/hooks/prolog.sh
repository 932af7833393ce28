#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prolog and Epilog: when they run, what they see, and what becomes of a job and its node when they fail.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
mkdir "$DIR/hooks"
hook() { # NAME TEXT
        printf '#!/bin/sh\n%s\n' "$2" >"$DIR/hooks/$1.new" && chmod 755 "$DIR/hooks/$1.new" &&
                mv "$DIR/hooks/$1.new" "$DIR/hooks/$1"
}
said() { cat "$DIR/said" 2>/dev/null; }
# shellcheck disable=SC2016
note='echo "$SLURM_SCRIPT_CONTEXT $SLURM_JOB_ID $SLURMD_NODENAME" >>'"$DIR/said"
drained() { [[ $(sinfo -h -n "$1" -o '%T %E') == "$2" ]]; }
hook a "$note"
hook b "env >$DIR/env.\$SLURM_SCRIPT_CONTEXT.\$SLURMD_NODENAME"
cluster_conf 'n[1-2]' KillWait=1 "Prolog=$DIR/hooks/a" "Prolog=$DIR/hooks/[b]" "Epilog=$DIR/hooks/*"
cd "$DIR" || exit 1
cluster_up 'two nodes with hooks' n1 n2

# ---- when, and with which environment ----
export LD_PRELOAD_OF_USER=evil SECRET=mine
run timeout 60 srun -J name --comment="a b" -n1 -w n1 sh -c 'cat said; exit 3'
tap_is "$rc|$out" '3|prolog_slurmd 1 n1' 'the prolog has run before the step'
wait_for 20 eval '[ "$(job_state 1)" = FAILED ]'
tap_is "$(paste -sd, said)" 'prolog_slurmd 1 n1,epilog_slurmd 1 n1' 'the epilog after it'
value() { sed -n "s/^$2=//p" "env.$1"; }
tap_is "$(sed 's/=.*//' env.prolog_slurmd.n1 | grep -vE '^(PWD|SHLVL|_|OLDPWD)$' | sort | paste -sd' ')" \
        'PATH SLURMD_NODENAME SLURM_CLUSTER_NAME SLURM_CONF SLURM_JOBID SLURM_JOB_ACCOUNT SLURM_JOB_COMMENT SLURM_JOB_CPUS_PER_NODE SLURM_JOB_EXCLUSIVE SLURM_JOB_GID SLURM_JOB_ID SLURM_JOB_NODELIST SLURM_JOB_NTASKS SLURM_JOB_NUM_NODES SLURM_JOB_OVERSUBSCRIBE SLURM_JOB_PARTITION SLURM_JOB_RESTART_COUNT SLURM_JOB_UID SLURM_JOB_USER SLURM_JOB_WORK_DIR SLURM_NODELIST SLURM_SCRIPT_CONTEXT SLURM_UID' \
        'its environment has these names and no other'
tap_is "$(value prolog_slurmd.n1 PATH) $(value prolog_slurmd.n1 SLURM_JOB_COMMENT) $(value prolog_slurmd.n1 SLURM_JOB_NODELIST)" \
        '/usr/sbin:/usr/bin:/sbin:/bin a b n1' 'and these values'
tap_is "$(value epilog_slurmd.n1 SLURM_JOB_EXIT_CODE) $(value epilog_slurmd.n1 SLURM_JOB_EXIT_CODE2)" '768 3:0' 'the epilog knows the exit code'

: >said
run timeout 60 salloc -N2 sh -c 'cat said; echo; srun -n1 -w n1 true; srun -n1 -w n1 true; cat said'
tap_is "$rc|$(paste -sd, <<<"$out")" '0|,prolog_slurmd 2 n1' 'salloc: none at the allocation, one before the first step'
wait_for 20 eval '[ "$(job_state 2)" = COMPLETED ]'
tap_is "$(sort said | paste -sd,)" 'epilog_slurmd 2 n1,epilog_slurmd 2 n2,prolog_slurmd 2 n1' 'an epilog also where no step has run'

# ---- of heterogeneous jobs ----
id=$(sbatch --parsable -w n1 : -w n2 --wrap true)
wait_for 20 no_jobs
tap_is "$(value prolog_slurmd.n1 SLURM_HET_JOB_ID) $(value epilog_slurmd.n2 SLURM_HET_JOB_ID) $(value epilog_slurmd.n2 SLURM_JOB_ID)" \
        "$id $id $((id + 1))" 'a component knows its leader'

# ---- order; a job is COMPLETING while its epilog runs, and its node is not given away ----
hook a "echo a >>$DIR/said"
hook b "echo b >>$DIR/said; while [ -e $DIR/hold ]; do sleep 0.02; done"
: >said
touch hold
out=$(sbatch --parsable --exclusive -w n1 --wrap 'true')
wait_for 20 eval '[ "$(paste -sd, said)" = b ]'
tap_is "$(job_state "$out") $(squeue -h -j "$out" -o %t)" 'RUNNING R' 'a job whose prolog runs is running'
rm hold
wait_for 20 eval '[ "$(paste -sd, said)" = b,a,b,a ]'
tap_is "$(paste -sd, said)" 'b,a,b,a' 'in reverse alphabetical order'
wait_job 20 "$out" COMPLETED
hook b "case \$SLURM_SCRIPT_CONTEXT in epilog*) touch $DIR/begun; while [ -e $DIR/hold ]; do sleep 0.02; done ;; esac"
rm -f begun
touch hold
first=$(sbatch --parsable --exclusive -w n1 --wrap 'true')
wait_for 20 test -e begun
second=$(sbatch --parsable --exclusive -w n1 --wrap 'true')
tap_is "$(squeue -h -j "$first" -o '%t %N') $(sinfo -h -n n1 -o %t)" 'CG n1 comp' 'it is completing while its epilog runs'
scontrol reconfigure
tap_is "$(job_state "$second")" 'PENDING' 'and its node is not given away'
rm hold
tap_ok "$(wait_job 20 "$second" COMPLETED; echo $?)" '... until it has ended'
hook b true

# ---- failures ----
hook a 'case $SLURM_SCRIPT_CONTEXT in prolog*) exit 3 ;; esac'
out=$(sbatch --parsable -w n1 --wrap "touch $DIR/ran")
wait_for 20 drained n1 'drained Prolog error'
tap_is "$(sinfo -h -n n1 -o '%T %E')" 'drained Prolog error' 'a prolog that fails drains its node'
wait_job 20 "$out" PENDING
tap_is "$(squeue -h -j "$out" -o '%T %r %k')|$(scontrol show job "$out" | grep -o 'Restarts=[0-9]*')" \
        'PENDING launch failed requeued held (null)|Restarts=1' 'its job is requeued and held'
tap_ok "$([ ! -e ran ]; echo $?)" '... and has not run'
tap_like "$(cat log/ctld)" 'Node n1 is drained: Prolog: .*/hooks/a ended with exit status 3' 'the log tells the program'
scancel "$out"
scontrol update nodename=n1 state=resume
run timeout 60 srun -w n1 touch ran
tap_like "$rc $(paste -sd' ' <<<"$err")" '^182 .*srun: error: Task launch for StepId=[0-9]+.0 failed on node n1: Job prolog failed' 'srun tells it'
job=$(sed -n 's/.*StepId=\([0-9]*\).*/\1/p' <<<"$err")
wait_job 20 "$job" FAILED
tap_like "$(scontrol -o show job "$job")" 'JobState=FAILED Reason=JobLaunchFailure.*ExitCode=0:54' '... and its job fails'
tap_ok "$([ ! -e ran ]; echo $?)" '... and its program does not run'
wait_for 20 drained n1 'drained Prolog error'
scontrol update nodename=n1 state=resume
hook a 'case $SLURM_SCRIPT_CONTEXT in epilog*) exit 4 ;; esac'
out=$(sbatch --parsable -w n1 --wrap true)
wait_for 20 drained n1 'drained Epilog error'
tap_is "$(job_state "$out") $(sinfo -h -n n1 -o '%T %E')" 'COMPLETED drained Epilog error' 'an epilog that fails drains its node alone'

# ---- files that must not be run ----
bad() { # NAME REASON
        scontrol update nodename=n1 state=resume
        out=$(sbatch --parsable -w n1 --wrap "touch $DIR/ran")
        wait_for 20 drained n1 'drained Prolog error'
        tap_like "$(sinfo -h -n n1 -o %E) $(tail -20 log/n1 | paste -sd' ')" "Prolog error .*Prolog: .*$2" "$1"
        tap_ok "$([ ! -e ran ] && [ ! -e evil ]; echo $?)" '... it is not run'
        scancel "$out"
        wait_for 20 no_jobs
}
hook a "touch $DIR/evil"
chmod 777 hooks/a
bad 'a hook that others can write' 'may be written by its group or others'
chmod 755 hooks/a
chmod 777 hooks
bad 'a hook in a folder that others can write' '/hooks may be written by its group or others'
chmod 755 hooks
chmod 644 hooks/a
bad 'one that is not executable' '/a is not executable'
rm hooks/a
bad 'one that is missing' '/a: No such file or directory'
hook a "case \$SLURM_SCRIPT_CONTEXT in prolog*) sleep 1000 & echo \$! >$DIR/slept; wait ;; esac"
printf "PrologEpilogTimeout=60\nPrologTimeout=1\n" >>slurm.conf
scontrol reconfigure
bad 'one that takes too long' '/a took longer than its timeout of 1 s'
[ -s slept ] && wait_for 10 gone "$(cat slept)"
tap_ok $? '... and is killed'

# ---- nohold_on_prolog_fail ----
hook a "case \$SLURM_SCRIPT_CONTEXT in prolog*) [ -e $DIR/hold ] && exit 1 ;; esac; exit 0"
echo SchedulerParameters=nohold_on_prolog_fail >>slurm.conf
scontrol reconfigure
scontrol update nodename=n1,n2 state=resume
touch hold
out=$(sbatch --parsable -w n1 --wrap true)
wait_for 20 drained n1 'drained Prolog error'
rm hold
wait_job 20 "$out" PENDING
tap_ok "$(squeue -h -j "$out" -o %r | grep -q held; [ $? = 1 ]; echo $?)" 'nohold_on_prolog_fail: it is not held'
scontrol update nodename=n1 state=resume
tap_ok "$(wait_job 20 "$out" COMPLETED; echo $?)" '... and runs later'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
