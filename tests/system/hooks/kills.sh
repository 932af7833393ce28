#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Daemons that are killed while a hook runs, and at random moments: each epilog runs once for each job and node, no prolog twice.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
KILLS=${KILLS:-20} SEED=${SEED:-$$}
RANDOM=$SEED
mkdir "$DIR/hooks" "$DIR/held"
# A hook for which there is a file hold.KIND.NODE says so in one of the name that is in there, with its process, and waits until the
# file is gone.
cat >"$DIR/hooks/hook" <<END
#!/bin/sh
kind=\${SLURM_SCRIPT_CONTEXT%%_*} at=\$SLURMD_NODENAME
echo "\$kind \$SLURM_JOB_ID.\$SLURM_JOB_RESTART_COUNT \$at" >>$DIR/said
name=\$(cat "$DIR/hold.\$kind.\$at" 2>/dev/null) || exit 0
[ -z "\$name" ] || echo \$\$ >"$DIR/held/\$name"
while [ "\$(cat "$DIR/hold.\$kind.\$at" 2>/dev/null)" = "\${name:-none}" ]; do sleep 0.02; done
END
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
holds() { [ -s "held/$i" ]; }

jobs=0 missed=0
for ((i = 0; i < KILLS; i++)); do
        node=n$((RANDOM % 2 + 1)) what=$((RANDOM % 3))
        # a prolog is for a node's first step: for the script's
        [ $((RANDOM % 2)) = 0 ] && hook=prolog.$node on="-w$node -N1" || hook=epilog.$node on=-N2
        echo "$i" >"hold.$hook"
        # shellcheck disable=SC2086 # words
        sbatch --requeue -o /dev/null $on script >/dev/null && submit && submit && jobs=$((jobs + 3))
        wait_for 20 holds
        [ $what = 0 ] || agent_kill9 $node
        [ $what = 1 ] || ctld_kill9
        kill -0 "$(cat "held/$i")" 2>/dev/null || missed=$((missed + 1))
        # it ends while they are away, or goes on after that
        late=$((RANDOM % 2))
        [ $late = 1 ] || rm "hold.$hook"
        [ $what = 0 ] || agent_start $node
        [ $what = 1 ] || ctld_start
        [ $late = 0 ] || rm "hold.$hook"
done
tap_is "$missed" 0 "a hook ran at each of $KILLS kills, and outlived it"
# Between hooks, at launches and ends: whatever there is at that moment, which follows from SEED.
for ((i = 0; i < KILLS / 2; i++)); do
        node=n$((RANDOM % 2 + 1)) what=$((RANDOM % 3))
        submit && submit && submit && jobs=$((jobs + 3))
        sleep "0.$(printf %03d $((RANDOM % 400)))"
        [ $what = 0 ] || agent_kill9 $node
        [ $what = 1 ] || ctld_kill9
        [ $what = 0 ] || agent_start $node
        [ $what = 1 ] || ctld_start
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
