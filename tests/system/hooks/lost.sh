#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Hooks of jobs that lose their node, and hooks that lose their daemon.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
mkdir "$DIR/hooks"
hook() { # TEXT
        printf '#!/bin/sh\n%s\n' "$1" >"$DIR/hooks/new" && chmod 755 "$DIR/hooks/new"
        mv "$DIR/hooks/new" "$DIR/hooks/hook"
}
note="echo \${SLURM_SCRIPT_CONTEXT%_slurmd} \$SLURM_JOB_ID.\$SLURM_JOB_RESTART_COUNT"
note+=" \$SLURMD_NODENAME >>$DIR/said"
hook "$note"
cluster_conf 'n[1-2]' KillWait=1 "Prolog=$DIR/hooks/hook" "Epilog=$DIR/hooks/hook"
cd "$DIR" || exit 1
all_said() { tap_is "$(sort said | paste -sd,)" "$1" "$2"; }
cluster_up 'two nodes' n1 n2

# ---- a running job gives a node back ----
: >said
job=$(sbatch --parsable -N2 -o /dev/null --wrap 'while [ ! -e go ]; do sleep 0.02; done')
wait_for 20 test -s said
scontrol update jobid="$job" NumNodes=1
wait_for 20 eval '[ "$(wc -l <said)" = 2 ]'
all_said "epilog $job.0 n2,prolog $job.0 n1" 'the epilog runs on a node that a job gives back'
touch go
wait_job 20 "$job" COMPLETED
all_said "epilog $job.0 n1,epilog $job.0 n2,prolog $job.0 n1" '... and at its end on the others alone'

# ---- a step that is cancelled while it waits ----
hook "$note; while [ -e $DIR/hold ]; do sleep 0.02; done"
: >said
touch hold
timeout 60 srun -w n1 touch ran 2>err &
wait_for 20 test -s said
job=$(squeue -h -o %i)
scancel "$job.0"
rm hold
wait $!
tap_ok "$([ ! -e ran ]; echo $?)" "a step that is cancelled before its prolog has ended does not run"
wait_for 20 no_jobs

# ---- slumberd has no descriptor when the step daemon of a hook ends ----
: >said
rm -f ran
touch hold
job=$(sbatch --parsable -w n1 -o /dev/null --wrap 'touch ran')
wait_for 20 test -s said
agent=$(cat run/n1.pid)
files=$(prlimit --pid "$agent" --nofile --noheadings -o SOFT | tr -d ' ')
prlimit --pid "$agent" --nofile=0:
rm hold
wait_for 20 grep -q ok "spool.n1/hooks/$job.0.prolog"
wait_for 1 eval '[ -e ran ] || sinfo -h -n n1 -o %E | grep -q Prolog || grep -q "Job $job: Prolog" log/n1'
tap_is "$?" 1 'a prolog ends while slumberd has no descriptor: it is neither over nor has it failed'
prlimit --pid "$agent" --nofile="$files:"
wait_job 20 "$job" COMPLETED
tap_is "$?|$(ls ran)" '0|ran' '... and its job runs when there are some'
rm -f ran
all_said "epilog $job.0 n1,prolog $job.0 n1" '... with one prolog'

# ---- the step daemon of a hook is killed ----
hook "$note; [ -e $DIR/pids ] || { sleep 100 & echo \$! \$\$ >$DIR/pids; }; while [ -e $DIR/hold ]; do sleep 0.02; done"
: >said
touch hold
job=$(sbatch --parsable -w n1 --wrap 'touch ran')
wait_for 20 test -s said
wait_for 20 test -s pids
# shellcheck disable=SC2046
kill -9 $(stepd_pids n1)
wait_for 20 eval 'sinfo -h -n n1 -o %E | grep -qx "Prolog error"'
tap_like "$(paste -sd' ' log/n1)" "Job $job: Prolog: was interrupted, as its step daemon was killed" \
        'a hook whose daemon is killed has failed'
tap_ok "$(wait_for 10 eval '! kill -0 $(cat pids) 2>/dev/null'; echo $?)" '... and nothing of it runs any more'
hook "$note"
rm hold
scancel "$job"
wait_for 20 no_jobs
tap_is "$(sort said | uniq -c | awk '{ print $1, $2, $3 }' | paste -sd,)" \
        "1 epilog $job.0,1 prolog $job.0" '... and is not run again; the epilog is'
scontrol update nodename=n1 state=resume

# ---- a job that is cancelled during a prolog that then fails ----
hook "$note; while [ -e $DIR/hold ]; do sleep 0.02; done; [ \${SLURM_SCRIPT_CONTEXT%_slurmd} = epilog ]"
: >said
touch hold
job=$(sbatch --parsable -w n1 --wrap 'touch ran')
wait_for 20 test -s said
scancel "$job"
rm hold
wait_for 20 no_jobs
tap_is "$(sinfo -h -n n1 -o '%t %E')" 'drain Prolog error' \
        'a prolog that fails drains its node although its job was cancelled'
scontrol update nodename=n1 state=resume

# ---- a job that is suspended during its prolog ----
hook "$note; while [ -e $DIR/hold ]; do sleep 0.02; done"
: >said
touch hold
job=$(sbatch --parsable -w n1 -o /dev/null --wrap 'touch started')
wait_for 20 test -s said
scontrol suspend "$job"
wait_job 20 "$job" SUSPENDED
rm hold
wait_for 20 eval 'grep -q "Launched step batch of job $job" log/n1'
tap_ok "$([ ! -e started ]; echo $?)" 'a job that is suspended in its prolog does not run after it'
scontrol resume "$job"
wait_job 20 "$job" COMPLETED
tap_ok "$([ -e started ]; echo $?)" '... but when it is resumed'

# ---- Epilog alone: slumberd and the step daemon are killed ----
sed -i '/^Prolog=/d' slurm.conf
scontrol reconfigure
: >said
job=$(sbatch --parsable --no-requeue -w n1 -o /dev/null --wrap 'sleep 100')
wait_for 20 eval 'grep -q "Launched step batch of job $job" log/n1'
agent_kill9 n1
# shellcheck disable=SC2046
kill -9 $(descendants $(stepd_pids n1)) 2>/dev/null
agent_start n1
tap_ok "$(wait_for 20 grep -q "^epilog $job.0 n1" said; echo $?)" \
        'without Prolog, too, an epilog is not forgotten'
echo "Prolog=$DIR/hooks/hook" >>slurm.conf
scontrol reconfigure

# ---- the record of a job's hooks is damaged ----
hook "$note"
: >said
job=$(sbatch --parsable --no-requeue -w n1 -o /dev/null --wrap 'sleep 100')
wait_for 20 eval 'grep -q "Launched step batch of job $job" log/n1'
agent_kill9 n1
# shellcheck disable=SC2046
kill -9 $(descendants $(stepd_pids n1)) 2>/dev/null
: >"spool.n1/hooks/$job.0"
agent_start n1
wait_for 20 eval 'grep -q "^epilog ${job}[.]" said && no_jobs'
tap_is "$? $(grep -c "^epilog ${job}[.]" said)" '0 1' 'the epilog of a job whose record is damaged runs once'

# ---- the node boots ----
hook "$note"
: >said
job=$(sbatch --parsable --requeue -w n1 -o /dev/null --wrap 'sleep 100')
wait_job 20 "$job" RUNNING
wait_for 20 eval 'grep -q "Launched step batch of job $job" log/n1'
agent_kill9 n1
# shellcheck disable=SC2046
kill -9 $(descendants $(stepd_pids n1)) 2>/dev/null
boot=$(cat /proc/sys/kernel/random/boot_id)
sed -i "s/$boot/00000000-0000-0000-0000-000000000000/" "spool.n1/hooks/$job.0"
agent_start n1
tap_ok "$(wait_for 20 grep -q "epilog $job.0 n1" said; echo $?)" \
        'after a boot the epilog of a run runs that has had its prolog before'
wait_for 20 eval '[ "$(scontrol show job $job | grep -o Restarts=1)" ]'
scancel "$job"
wait_for 20 no_jobs
tap_is "$(grep -c "epilog $job.0 n1" said)$(sort said | uniq -d)" 1 '... once'
tap_ok "$(wait_for 20 eval '[ -z "$(ls spool.n1/hooks)" ]'; echo $?)" 'and nothing is remembered'

# ---- ... in the middle of an epilog ----
hook "$note; [ \$SLURM_SCRIPT_CONTEXT = prolog_slurmd ] || while [ -e $DIR/hold ]; do sleep 0.02; done"
touch hold
: >said
job=$(sbatch --parsable -w n1 -o /dev/null --wrap true)
wait_for 20 grep -q "^epilog $job.0 n1" said
agent_kill9 n1
# shellcheck disable=SC2046
kill -9 $(descendants $(stepd_pids n1)) 2>/dev/null
sed -i "s/$boot/00000000-0000-0000-0000-000000000000/" "spool.n1/hooks/$job.0"*
agent_start n1
wait_for 20 eval 'sinfo -h -n n1 -o %E | grep -qx "Epilog error"'
tap_like "$? $(paste -sd' ' log/n1)" "^0 .*Job $job: Epilog: was interrupted by a reboot" \
        'an epilog that a boot has cut off has failed: its node is drained'
wait_for 20 no_jobs
tap_is "$? $(paste -sd, said)" "0 prolog $job.0 n1,epilog $job.0 n1" '... the job ends, and it does not run twice'
rm hold
scontrol update nodename=n1 state=resume
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
