#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PrologSlurmctld and EpilogSlurmctld: when they run, what they are told, and what becomes of a job.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
mkdir "$DIR/hooks"
hook() { # TEXT
        printf '#!/bin/sh\n%s\n' "$1" >"$DIR/hooks/new" && chmod 755 "$DIR/hooks/new" && mv "$DIR/hooks/new" "$DIR/hooks/hook"
}
note="kind=\${SLURM_SCRIPT_CONTEXT%_slurmctld}; echo \$kind \$SLURM_JOB_ID.\$SLURM_JOB_RESTART_COUNT >>$DIR/said"
hold="while [ -e $DIR/hold.\$kind ]; do sleep 0.02; done"
hook "$note; $hold"
cluster_conf 'n[1-2]' KillWait=1 "PrologSlurmctld=$DIR/hooks/hook" "EpilogSlurmctld=$DIR/hooks/hook"
cd "$DIR" || exit 1
said() { [ "$(paste -sd, said)" = "$1" ]; }
cluster_up 'two nodes' n1 n2
: >said

# ---- a job waits for its prolog, its end for the epilog ----
touch hold.prolog hold.epilog
job=$(sbatch --parsable -w n1 -o out --wrap 'echo runs')
wait_for 20 said "prolog $job.0"
tap_is "$(squeue -h -j "$job" -o '%t %r')$(cat out 2>/dev/null)" 'CF Prolog' 'a job is configuring until its prolog has ended'
timeout 60 srun -w n2 true &
other=$!
wait_for 20 eval '[ "$(wc -l <said)" = 2 ]'
rm hold.prolog
wait_for 20 test -s out
wait_for 20 eval 'grep -q "^epilog $job.0" said'
tap_is "$(squeue -h -j "$job" -o %t)" 'CG' '... and completing until its epilog has'
wait_for 20 eval '[ "$(sinfo -h -n n1 -o %t)" = idle ]'
tap_ok $? '... though its node is free'
sbatch -w n1 -o /dev/null --wrap true >/dev/null
wait_for 20 eval '[ "$(grep -c ^epilog said)" = 3 ]'
tap_ok $? 'an epilog that hangs holds up no other job'
rm hold.epilog
wait $other
wait_for 20 no_jobs
tap_is "$(sort said | uniq -d)$(cut -d' ' -f1 said | sort | uniq -c | xargs)" '3 epilog 3 prolog' 'each hook ran once for each job'

# ---- what they are told ----
hook "env | grep -v -e ^PWD -e ^_= -e ^SHLVL | sort >$DIR/env.\${SLURM_SCRIPT_CONTEXT%_slurmctld}; id -u >>$DIR/user"
job=$(SECRET=mine sbatch --parsable -a 7 -J name -w n2 -o /dev/null --wrap 'exit 3')
wait_for 20 test -s env.epilog
wait_for 20 no_jobs
tap_is "$(cut -d= -f1 env.prolog | xargs)" 'PATH SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_STEP SLURM_CLUSTER_NAME SLURM_CONF SLURM_JOBID SLURM_JOB_ACCOUNT SLURM_JOB_CPUS_PER_NODE SLURM_JOB_EXCLUSIVE SLURM_JOB_GID SLURM_JOB_GROUP SLURM_JOB_ID SLURM_JOB_NAME SLURM_JOB_NODELIST SLURM_JOB_NTASKS SLURM_JOB_NUM_NODES SLURM_JOB_OVERSUBSCRIBE SLURM_JOB_PARTITION SLURM_JOB_RESTART_COUNT SLURM_JOB_STDIN SLURM_JOB_STDOUT SLURM_JOB_UID SLURM_JOB_USER SLURM_JOB_WORK_DIR SLURM_NODELIST SLURM_SCRIPT_CONTEXT SLURM_UID' \
        'the prolog is told its job and nothing else'
tap_is "$(diff env.prolog env.epilog | grep '^>' | cut -c3- | xargs)" 'SLURM_JOB_DERIVED_EC=0 SLURM_JOB_EXIT_CODE2=3:0 SLURM_JOB_EXIT_CODE=768 SLURM_SCRIPT_CONTEXT=epilog_slurmctld' \
        'the epilog how it ended, too'
tap_is "$(sed -n 's/^SLURM_JOB_NODELIST=//p' env.epilog) $(sort -u user)" "n2 $(id -u)" 'they run as SlurmUser'

hook "echo \$SLURM_HET_JOB_ID.\$SLURM_HET_JOB_OFFSET \$SLURM_SCRIPT_CONTEXT \$SLURM_JOB_ID >>$DIR/het"
job=$(sbatch --parsable -w n1 -o /dev/null : -w n2 --wrap true)
wait_for 20 eval '[ "$(wc -l <het)" = 4 ]'
wait_for 20 no_jobs
tap_is "$(sort het | paste -sd,)" "$job.0 epilog_slurmctld $job,$job.0 prolog_slurmctld $job,$job.1 epilog_slurmctld $((job + 1)),$job.1 prolog_slurmctld $((job + 1))" \
        'of a heterogeneous job the leader and the place, too'

# ---- cancelled meanwhile ----
hook "$note; sleep 100 & echo \$\$ \$! >$DIR/pids; [ \$kind = epilog ] || wait"
: >said
job=$(sbatch --parsable -w n1 -o out2 --wrap 'echo runs')
wait_for 20 test -s pids
read -ra pids <pids
scancel "$job"
wait_for 20 no_jobs
tap_is "$? $(paste -sd, said) $(job_show "$job" %T)" "0 prolog $job.0,epilog $job.0 CANCELLED" 'the prolog of a job that is cancelled is ended, its epilog runs'
tap_ok "$(wait_for 10 eval '! kill -0 "${pids[@]}" 2>/dev/null'; echo $?)" '... and nothing of the prolog is left'

# ---- failures ----
hook "$note; [ \$kind = epilog ] || exit 3"
: >said
job=$(sbatch --parsable --requeue -w n1 -o out2 --wrap 'echo runs')
wait_for 20 eval '[ "$(squeue -h -j $job -o %t.%r)" = PD.BeginTime ]'
tap_is "$? $(paste -sd, said) $(scontrol show job "$job" | grep -o 'Restarts=[0-9]*')" "0 prolog $job.0,epilog $job.0 Restarts=1" \
        'a script whose prolog fails is requeued, and waits a while'
scontrol update jobid="$job" starttime=now
wait_for 20 eval '[ "$(scontrol show job $job | grep -o Restarts=2)" ]'
wait_for 20 said "prolog $job.0,epilog $job.0,prolog $job.1,epilog $job.1"
tap_ok $? 'its next run has hooks of its own'
scancel "$job"
job=$(sbatch --parsable --no-requeue -w n1 -o out2 --wrap 'echo runs')
tap_ok "$(wait_job 20 "$job" CANCELLED; echo $?)" 'one that may not be requeued is cancelled'
run timeout 60 salloc -w n1 echo runs
tap_like "$rc $out|$(paste -sd' ' <<<"$err")" '^1 \|.*salloc: PrologSlurmctld failed, job killed .*salloc: Job allocation [0-9]+ has been revoked' 'salloc is told'
run timeout 60 srun -w n1 echo runs
tap_like "$rc $out|$(paste -sd' ' <<<"$err")" '^1 \|.*srun: PrologSlurmctld failed, job killed' '... and srun'
tap_is "$(sinfo -h -o '%T %E' | sort -u)$(cat out2 2>/dev/null)" 'idle none' 'no node is drained, and nothing has run'
wait_for 20 no_jobs
hook "$note; [ \$kind = prolog ] || { echo oh >&2; exit 4; }"
job=$(sbatch --parsable -w n1 -o /dev/null --wrap true)
tap_ok "$(wait_job 20 "$job" COMPLETED && wait_for 20 no_jobs; echo $?)" 'an epilog that fails is logged alone'
tap_ok "$(wait_for 20 grep -q "EpilogSlurmctld of JobId=$job failed: $DIR/hooks/hook ended with exit status 4" log/ctld; echo $?)" '... by name'
chmod o+w hooks/hook
job=$(sbatch --parsable --no-requeue -w n1 -o /dev/null --wrap true)
wait_job 20 "$job" CANCELLED
tap_ok "$(grep -q "PrologSlurmctld of JobId=$job failed: .*hook may be written by its group or others" log/ctld; echo $?)" 'a file that others can change is not run'
chmod o-w hooks/hook

# ---- time, several ----
hook "$note; [ \$kind = epilog ] || sleep 100"
echo PrologEpilogTimeout=1 >>slurm.conf
scontrol reconfigure
job=$(sbatch --parsable --no-requeue -w n1 -o /dev/null --wrap true)
wait_job 20 "$job" CANCELLED
tap_ok "$(grep -q "PrologSlurmctld of JobId=$job failed: .*hook took longer than its timeout of 1 s" log/ctld; echo $?)" 'PrologEpilogTimeout ends one that hangs'
wait_for 20 no_jobs
sed -i '/^PrologEpilogTimeout/d; /^PrologSlurmctld/d; /^EpilogSlurmctld/d' slurm.conf
mkdir hooks/more
for i in 1 2; do printf '#!/bin/sh\necho %s >>%s/said\n' $i "$DIR" >hooks/more/$i.sh && chmod 755 hooks/more/$i.sh; done
printf '%s\n' "PrologSlurmctld=$DIR/hooks/more/*.sh" "PrologSlurmctld=$DIR/hooks/hook" >>slurm.conf
hook "$note"
scontrol reconfigure
: >said
job=$(sbatch --parsable -w n1 -o /dev/null --wrap true)
wait_job 20 "$job" COMPLETED
tap_is "$(paste -sd, said)" "2,1,prolog $job.0" 'several run in reverse alphabetical order'
tap_is "$(ls state/hooks)" '' 'nothing is kept of them'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
