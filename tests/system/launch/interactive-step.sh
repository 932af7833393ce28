#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# LaunchParameters=use_interactive_step: salloc's shell is a step on the first node.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-2]' LaunchParameters=use_interactive_step SelectTypeParameters=CR_Core_Memory
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2
export SHELL=/bin/bash PS1=
over() { wait_for 20 no_jobs; }

# ---- without a terminal ----
cat >shell <<'END'
echo "$SLURMD_NODENAME $SLURM_STEP_ID $SLURM_NTASKS $SLURM_JOB_NODELIST $SLURM_STEP_NODELIST $SLURM_STEP_NUM_TASKS"
squeue -hs -j "$SLURM_JOB_ID" -o '%i %j %N %A'
srun -l printenv SLURMD_NODENAME </dev/null | sort
tty
exit 3
END
run timeout 60 salloc -N2 -n2 <shell
job=$(sed -n 's/.*Granted job allocation //p' <<<"$err")
tap_is "$rc|$out" "3|n1 4294967290 2 n[1-2] n1 1
$job.interactive interactive n1 1
0: n1
1: n2
not a tty" 'the shell runs on the first node, srun beside it, and its exit code is salloc'\''s'
tap_like "$err" 'srun: error: Not using a pseudo-terminal, disregarding --pty option' '... without a terminal'
over
tap_is "$(sacct -nP -j "$job" -o jobid,jobname,state,exitcode | paste -sd' ')" \
        "$job|interactive|FAILED|3:0 $job.interactive|interactive|FAILED|3:0 $job.0|printenv|COMPLETED|0:0" 'sacct'

# ---- with one ----
printf '%s\n' 'echo "node $SLURMD_NODENAME"; tty | sed s/[0-9]*$/N/; stty size; srun -n1 echo a step; exit 4' >typed
timeout 60 script -qec 'salloc -N1 -n1' /dev/null <typed >seen 2>&1
rc=$?
tr -d '\r' <seen >plain
tap_is "$rc|$(grep -c 'node n1$' plain)|$(grep -c '/dev/pts/N$' plain)|$(grep -c 'a step$' plain)" '4|1|1|1' 'with a terminal'
over

# ---- what is not this ----
run timeout 60 salloc -N1 sh -c 'echo "here ${SLURM_STEP_ID-}"'
tap_is "$rc|$out" '0|here ' 'a command runs where salloc does'
run srun --interactive true
tap_is "$rc|$err" '1|srun: error: --interactive is for the shell of salloc: there is no allocation' 'not without an allocation'
run timeout 60 salloc -N1 <<<'srun --interactive true; echo $?'
tap_like "$out|$(grep Unable <<<"$err")" '^1\|.*job [0-9]+ has an interactive step already' 'and no second one'
over
sed -i 's/^LaunchParameters=.*/&\nInteractiveStepOptions="--interactive --preserve-env echo other options"/' slurm.conf
run scontrol reconfigure
run timeout 60 salloc -N1 </dev/null
tap_is "$rc|$out" '0|other options' 'InteractiveStepOptions'
sed -i '/^LaunchParameters=/d; /^InteractiveStepOptions=/d' slurm.conf
scontrol reconfigure
run timeout 60 salloc -N1 <<<'echo "here ${SLURM_STEP_ID-}"'
tap_is "$rc|$out" '0|here ' 'without use_interactive_step the shell is a local one'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
