#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumberctld and slumber-hook are killed while PrologSlurmctld and EpilogSlurmctld run: none is run twice, or forgotten.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
KILLS=${KILLS:-5} SEED=${SEED:-$$}
RANDOM=$SEED
mkdir "$DIR/hooks"
printf '#!/bin/sh\nkind=${SLURM_SCRIPT_CONTEXT%%_*}\necho "$kind $SLURM_JOB_ID.$SLURM_JOB_RESTART_COUNT" >>%s/said\n%s\n' \
        "$DIR" "name=\$(cat $DIR/hold.\$kind 2>/dev/null); [ -z \"\$name\" ] || echo \$\$ >>$DIR/held.\$name
while [ -e $DIR/hold.\$kind ] && [ \"\$(cat $DIR/hold.\$kind)\" = \"\$name\" ]; do sleep 0.02; done" >"$DIR/hooks/hook"
chmod 755 "$DIR/hooks/hook"
cluster_conf 'n[1-2]' KillWait=1 "PrologSlurmctld=$DIR/hooks/hook" "EpilogSlurmctld=$DIR/hooks/hook"
cd "$DIR" || exit 1
cluster_up "two nodes (SEED=$SEED)" n1 n2
: >said
: >ran
said() { [ "$(paste -sd, said)" = "$1" ]; }
restart() { ctld_kill9 && ctld_start; }

# ---- one at a time ----
touch hold.prolog
job=$(sbatch --parsable -o /dev/null --wrap 'echo $SLURM_JOB_ID >>ran')
wait_for 20 said "prolog $job.0"
restart
tap_is "$(squeue -h -j "$job" -o %t)" 'CF' 'a job waits for a prolog that has outlived slumberctld'
restart
touch hold.epilog
ctld_kill9
rm hold.prolog
wait_for 20 eval 'tail -1 state/hooks/* | grep -q ok'
ctld_start
wait_for 20 said "prolog $job.0,epilog $job.0"
tap_is "$? $(cat ran)" "0 $job" '... and begins when that has ended meanwhile'
restart
tap_is "$(squeue -h -j "$job" -o %t)" 'CG' 'likewise an epilog'
rm hold.epilog
tap_ok "$(wait_for 20 no_jobs; echo $?)" '... and the job ends'
tap_is "$(paste -sd, said)" "prolog $job.0,epilog $job.0" 'each has run once'

# ---- slumber-hook is killed ----
: >said
touch hold.prolog
job=$(sbatch --parsable --no-requeue -o /dev/null --wrap 'echo $SLURM_JOB_ID >>ran')
wait_for 20 said "prolog $job.0"
kill -9 "$(sed -n 's/^@runner [^ ]* \([0-9]*\) .*/\1/p' state/hooks/"$job".1)"
wait_job 20 "$job" CANCELLED
wait_for 20 said "prolog $job.0,epilog $job.0"
tap_ok $? 'a prolog whose slumber-hook is killed has failed, and is not run again'
rm hold.prolog
wait_for 20 no_jobs

# ---- many ----
: >said
: >ran
# Of one hook alone the job may be cancelled, which ends it.
held() { # N: so many hooks wait
        local pid n=0
        for pid in $(cat "held.$i" 2>/dev/null); do kill -0 "$pid" 2>/dev/null && n=$((n + 1)); done
        [ "$n" -ge "$1" ]
}
jobs=0 missed=0
for ((i = 0; i < KILLS; i++)); do
        [ $((RANDOM % 2)) = 0 ] && kind=prolog || kind=epilog
        echo "$i" >"hold.$kind"
        for _ in 1 2 3; do
                sbatch --requeue -o /dev/null -a 1-2 --wrap 'echo $SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0} >>ran' >/dev/null 2>&1 && jobs=$((jobs + 1))
        done
        [ $((RANDOM % 3)) = 0 ] && scancel "$(squeue -h -o %A | tail -1)" 2>/dev/null
        wait_for 20 held 2
        ctld_kill9
        held 1 || missed=$((missed + 1))
        # it ends while slumberctld is away, or goes on after that
        late=$((RANDOM % 2))
        [ $late = 1 ] || rm "hold.$kind"
        ctld_start
        [ $late = 0 ] || rm "hold.$kind"
done
tap_is "$missed" 0 "a hook ran at each of $KILLS kills, and outlived it"
tap_ok "$(wait_for 90 no_jobs; echo $?)" "all jobs are over ($jobs were submitted)"
tap_is "$(sort said | uniq -d)" '' 'no hook has run twice for a run of a job'
tap_is "$(grep -vxFf <(sed -n 's/^prolog //p' said) ran)" '' 'no job has run without its prolog'
tap_is "$(sed -n 's/^prolog //p' said | grep -vxFf <(sed -n 's/^epilog //p' said))" '' 'an epilog has run wherever there was a prolog'
tap_ok "$(wait_for 20 eval '[ -z "$(ls state/hooks)" ]'; echo $?)" 'and nothing is kept of them'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
