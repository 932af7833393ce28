#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Daemons that are killed while hooks run: each epilog runs once for each job and node, no prolog twice.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
KILLS=${KILLS:-20} SEED=${SEED:-$$}
RANDOM=$SEED
mkdir "$DIR/hooks"
printf '#!/bin/sh\necho "${SLURM_SCRIPT_CONTEXT%%_*} $SLURM_JOB_ID.$SLURM_JOB_RESTART_COUNT $SLURMD_NODENAME" >>%s/said\n%s\n' \
        "$DIR" "sleep 0.0\$((SLURM_JOB_ID % 7))" >"$DIR/hooks/hook"
chmod 755 "$DIR/hooks/hook"
cluster_conf 'n[1-2]' KillWait=1 MaxBatchRequeue=1000 "Prolog=$DIR/hooks/hook" "Epilog=$DIR/hooks/hook" ${FLAGS:+"PrologFlags=$FLAGS"}
cd "$DIR" || exit 1
cluster_up "two nodes with hooks (SEED=$SEED)" n1 n2
: >said
: >ran
cat >script <<END
#!/bin/bash
for n in \$(scontrol show hostnames); do echo "\$SLURM_JOB_ID.\${SLURM_RESTART_COUNT:-0} \$n"; done >>$DIR/ran
END
submit() { sbatch --requeue -o /dev/null "-N$((RANDOM % 2 + 1))" script >/dev/null 2>&1; }
# so many hooks have begun, or no more come for now
more_said() { [ "$(wc -l <said)" -ge "$1" ] || no_jobs -t R,CG,CF; }

jobs=0
for ((i = 0; i < KILLS; i++)); do
        for _ in 1 2 3; do submit && jobs=$((jobs + 1)); done
        # at any point: behind so many hooks from now on
        wait_for 20 more_said $(($(wc -l <said) + RANDOM % 4 + 1))
        case $((RANDOM % 4)) in
        0) agent_kill9 n1 && agent_start n1 ;;
        1) agent_kill9 n2 && agent_start n2 ;;
        2) ctld_kill9 && ctld_start ;;
        3) agent_kill9 n1 && ctld_kill9 && agent_start n1 && ctld_start ;;
        esac
done
tap_ok "$(wait_for 90 no_jobs; echo $?)" "all jobs are over ($jobs were submitted)"
tap_is "$(sort said | uniq -d)" '' 'no hook has run twice for a job and node'
tap_is "$(sort -u ran | grep -vxFf <(sed -n 's/^epilog //p' said))" '' 'an epilog has run on each node of each job'
tap_is "$(sed -n 's/^prolog //p' said | sort -u | grep -vxFf <(sed -n 's/^epilog //p' said))" '' '... and wherever there was a prolog'
tap_is "$(cut -d' ' -f1 ran | sort -u | wc -l)" "$(cut -d' ' -f1 ran | cut -d. -f1 | sort -u | wc -l)" 'no script has run twice'
tap_ok "$(wait_for 20 eval '[ -z "$(ls spool.n1/hooks spool.n2/hooks | grep "^[0-9]")" ]'; echo $?)" 'and nodes remember none of it'
wait_nodes 30 'n[1-2]' idle
tap_is "$(sinfo -h -o '%T %E' | sort -u)" 'idle none' 'no node is drained'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
