#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A batch script that waits for its srun ends as quickly when it is sent back to the queue (scontrol requeue, preemption) as when
# it is cancelled: srun hears of the end of its step and ends, the script's TERM trap runs, the preemptor has the node.  KillWait is
# long, so that waiting for it is no success.  A step has SIGTERM from its node, and once more from its srun, which had it too: the
# trap of a shell may run twice.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1 KillWait=120 PreemptType=preempt/partition_prio PreemptMode=REQUEUE PartitionName= SelectType=select/linear \
        SelectTypeParameters= 'PartitionName=DEFAULT Nodes=n1' 'PartitionName=low PriorityTier=1 Default=YES' \
        'PartitionName=high PriorityTier=2'
cd "$DIR" || exit 1
cluster_up 'a node' n1

# On its second run each of them ends at once.
cat >trap.sh <<'END_OF_JOB'
#!/bin/bash
[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || exit 0
trap 'echo trapped >>trapped.$SLURM_JOB_ID; exit 0' TERM
srun bash -c 'echo >up.$SLURM_JOB_ID; exec sleep 1000'
END_OF_JOB
cat >exec.sh <<'END_OF_JOB'
#!/bin/bash
[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || exit 0
exec srun bash -c 'trap "echo trapped >>trapped.\$SLURM_JOB_ID; exit 0" TERM; echo >up.$SLURM_JOB_ID; sleep 1000 & wait'
END_OF_JOB
cat >early.sh <<'END_OF_JOB'
#!/bin/bash
[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || exit 0
echo >up.$SLURM_JOB_ID
srun sleep 1000
END_OF_JOB
begin() { id=$(sbatch --parsable --requeue "$1") && wait_for 20 test -e "up.$id"; }

for script in trap exec; do
        begin $script.sh && scancel "$id" && wait_nodes 40 n1 idle
        tap_is "$?|$(sort -u "trapped.$id")|$(job_state "$id")" '0|trapped|CANCELLED' "$script, scancel: at once, and the trap runs"
        begin $script.sh && scontrol requeue "$id" && wait_job 40 "$id" COMPLETED
        tap_is "$?|$(sort -u "trapped.$id")" '0|trapped' "$script, scontrol requeue: the same, and it runs again"
        begin $script.sh && p=$(sbatch --parsable -p high --wrap true) && wait_job 40 "$p" COMPLETED
        tap_is "$?|$(sort -u "trapped.$id")" '0|trapped' "$script, preempted: the same, and the preemptor has the node"
        wait_job 20 "$id" COMPLETED
        tap_ok $? '... and it runs again'
done

# At any moment of the step's launch, too.
ended=0
for k in {1..30}; do
        begin early.sh && sleep "0.00$((k % 10))" && scancel "$id" && wait_nodes 40 n1 idle || break
        ended=$k
done
tap_is $ended 30 'a job that is cancelled while its step begins ends at once, thirty times' || squeue -s | sed 's/^/# /'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
