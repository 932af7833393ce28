#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PrologFlags: Alloc, NoHold, DeferBatch, Serial, ForceRequeueOnFail.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
mkdir "$DIR/hooks"
hook() { # TEXT
        printf '#!/bin/sh\n%s\n' "$1" >"$DIR/hooks/new" && chmod 755 "$DIR/hooks/new" && mv "$DIR/hooks/new" "$DIR/hooks/hook"
}
# a hook that waits while DIR/hold.NODE is there
hold="echo \${SLURM_SCRIPT_CONTEXT%_slurmd} \$SLURM_JOB_ID \$SLURMD_NODENAME >>$DIR/said; while [ -e $DIR/hold.\$SLURMD_NODENAME ]; do sleep 0.02; done"
hook "$hold"
cluster_conf 'n[1-2]' KillWait=1 "Prolog=$DIR/hooks/hook" PrologFlags=Alloc
cd "$DIR" || exit 1
flags() { sed -i "s/^PrologFlags=.*/PrologFlags=$1/" slurm.conf && scontrol reconfigure; }
said() { [ "$(sort said | paste -sd,)" = "$1" ]; }
cluster_up 'two nodes' n1 n2
: >said

# ---- Alloc ----
touch hold.n2
job=$(sbatch --parsable -N2 -o out --wrap 'echo runs')
wait_for 20 test -s out
tap_is "$(cat out)" 'runs' 'Alloc: a script waits for the prolog of its own node alone'
rm hold.n2
wait_job 20 "$job" COMPLETED
tap_is "$(sort said | paste -sd,)" "prolog $job n1,prolog $job n2" 'it has run on all nodes, though no step did'
touch hold.n1
: >said
job=$(sbatch --parsable -w n1 -o out --wrap true)
wait_for 20 said "prolog $job n1"
tap_is "$(squeue -h -j "$job" -o '%t %r')" 'CF Prolog' 'the job is configuring meanwhile'
agent_kill9 n1
agent_start n1
wait_nodes 20 n1 'allocated|mixed|idle'
tap_is "$(squeue -h -j "$job" -o %t)" 'CF' '... also when its slumberd was killed'
ctld_kill9
ctld_start
tap_is "$(squeue -h -j "$job" -o %t)" 'CF' '... or slumberctld'
rm hold.n1
tap_ok "$(wait_job 20 "$job" COMPLETED; echo $?)" 'it goes on'
tap_is "$(paste -sd, said)" "prolog $job n1" 'with one prolog'
touch hold.n1 hold.n2
: >said
timeout 60 salloc -N2 sh -c 'echo has begun' >out 2>err &
wait_for 20 eval '[ "$(wc -l <said)" = 2 ]'
rm hold.n1
tap_ok "$([ ! -s out ]; echo $?)" 'salloc waits for all nodes'
rm hold.n2
wait $!
tap_is "$(cat out)" 'has begun' '... and goes on'

# ---- cancelled meanwhile ----
touch hold.n1
: >said
job=$(sbatch --parsable -w n1 --wrap true)
wait_for 20 said "prolog $job n1"
scancel "$job"
wait_for 20 eval '[ "$(squeue -h -j $job -o %t)" = CG ]'
tap_is "$(squeue -h -j "$job" -o %t)" 'CG' 'a job that is cancelled waits for its prolog'
rm hold.n1
tap_ok "$(wait_for 20 no_jobs; echo $?)" '... and ends'

# ---- NoHold, DeferBatch ----
flags NoHold
touch hold.n1
: >said
run timeout 60 salloc -w n1 sh -c 'echo has begun; rm hold.n1; srun cat said'
job=$(sed -n 's/.*Granted job allocation //p' <<<"$err")
tap_is "$rc|$(paste -sd, <<<"$out")" "0|has begun,prolog $job n1" 'NoHold: salloc does not wait, its steps do'
flags DeferBatch
touch hold.n2
: >said
rm -f out
job=$(sbatch --parsable -N2 -o out --wrap 'echo runs')
wait_for 20 said "prolog $job n1,prolog $job n2"
tap_is "$(squeue -h -j "$job" -o %t)$(cat out 2>/dev/null)" 'CF' 'DeferBatch: a script waits for all nodes'
rm hold.n2
tap_ok "$(wait_job 20 "$job" COMPLETED; echo $?)" '... and runs'

# ---- Serial ----
flags Serial
hook "mkdir $DIR/one.\$SLURMD_NODENAME || touch $DIR/two; sleep 0.05; rmdir $DIR/one.\$SLURMD_NODENAME"
for _ in 1 2 3 4; do sbatch -w n1 --wrap true >/dev/null; done
tap_ok "$(wait_for 30 no_jobs; echo $?)" 'Serial: four jobs at once'
tap_ok "$([ ! -e two ]; echo $?)" 'no two hooks have run at a time'

# ---- ForceRequeueOnFail ----
hook 'exit 1'
job=$(sbatch --parsable --no-requeue -w n1 --wrap true)
wait_job 20 "$job" FAILED
tap_is "$(job_show "$job" '%T %r')" 'FAILED JobLaunchFailure' 'a job that must not be requeued fails with its prolog'
scontrol update nodename=n1 state=resume
flags ForceRequeueOnFail
job=$(sbatch --parsable --no-requeue -w n1 --wrap true)
wait_job 20 "$job" PENDING
tap_is "$(squeue -h -j "$job" -o '%T %r')" 'PENDING launch failed requeued held' '... but for ForceRequeueOnFail'
scancel "$job"
scontrol update nodename=n1 state=resume
run timeout 60 salloc -w n1 true
tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|.*salloc: Prolog failure on node n1 .*Job allocation [0-9]+ has been revoked' 'salloc ends when a prolog fails'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
