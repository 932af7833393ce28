#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --core-spec and preemption with real processes: a job that says what is kept has its node alone, so it preempts all jobs
# there, and is preempted as a whole; inside of its allocation steps share what it has, and cannot ask for -S themselves.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf n1 PreemptType=preempt/partition_prio PreemptMode=REQUEUE PartitionName= AllowSpecResourcesUsage=yes \
        SelectTypeParameters=CR_Core SlurmdParameters=config_overrides \
        'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 CoreSpecCount=1' \
        'PartitionName=low Nodes=n1 PriorityTier=10 Default=YES' 'PartitionName=hi Nodes=n1 PriorityTier=20 PreemptMode=off'
cluster_up 'the node is idle' n1
cd "$DIR" || exit 1
cat >job.sh <<'END_OF_JOB'
#!/bin/bash
echo "begin ${SLURM_RESTART_COUNT:-0}" >>began.$SLURM_JOB_ID
until [ -e enough.$SLURM_JOB_ID ]; do sleep 0.05; done
END_OF_JOB
chmod +x job.sh
begun() { [ "$(wc -l <"began.$1" 2>/dev/null)" = "$2" ]; }
field() { scontrol -o show job "$1" | grep -o " $2=[^ ]*" | cut -d= -f2; }

a=$(sbatch --parsable -Q -n1 -o /dev/null job.sh)
b=$(sbatch --parsable -Q -n1 -o /dev/null job.sh)
wait_for 20 begun "$a" 1 && wait_for 20 begun "$b" 1
tap_ok $? 'two jobs share the node'
hi=$(sbatch --parsable -p hi -n1 -S0 -o /dev/null job.sh)
wait_for 20 begun "$hi" 1
tap_is "$? $(job_state "$a") $(job_state "$b") $(field "$hi" NumCPUs)" '0 PENDING PENDING 4' \
        'one with -S0 sends both back, and has all cores'
touch "enough.$hi"
wait_job 20 "$hi" COMPLETED
wait_for 20 begun "$a" 2 && wait_for 20 begun "$b" 2
tap_ok $? 'they run again behind it'
touch "enough.$a" "enough.$b"
wait_job 20 "$a" COMPLETED && wait_job 20 "$b" COMPLETED

s=$(sbatch --parsable -n1 -S2 -o /dev/null job.sh)
wait_for 20 begun "$s" 1
tap_is "$? $(field "$s" NumCPUs)" '0 2' 'one with -S2 has the other cores'
low=$(sbatch --parsable -n1 -o /dev/null job.sh)
hi=$(sbatch --parsable -p hi -n1 -o /dev/null job.sh)
wait_for 20 begun "$hi" 1
tap_is "$? $(job_state "$s")" '0 PENDING' 'it is preempted for a job of one core, which gets none of the cores that it has left'
touch "enough.$hi" "enough.$low"
wait_job 20 "$hi" COMPLETED && wait_job 20 "$low" COMPLETED
wait_for 20 begun "$s" 2
tap_is "$? $(field "$s" NumCPUs)" '0 2' 'and runs again as it was'

# ---- steps ----
run srun --jobid="$s" --overlap -n2 sh -c 'echo $SLURM_STEP_NUM_TASKS'
tap_is "$rc $(xargs <<<"$out")" '0 2 2' 'a step has the cores of its job'
run srun --jobid="$s" --overlap -n3 true
tap_like "$rc" '^[1-9]' '... and not more'
run srun --jobid="$s" --overlap -S1 -n1 true
tap_like "$rc $err" '^[1-9].*core-spec' 'srun -S of a step is refused by name'
run env SLURM_CORE_SPEC=1 srun --jobid="$s" --overlap -n1 true
tap_is "$rc $err" '0 ' '... in the environment it is for jobs, and passed over'
touch "enough.$s"
wait_job 20 "$s" COMPLETED
run salloc -Q -n1 -S0 srun -n4 sh -c 'echo $SLURM_PROCID'
tap_is "$rc $(sort -n <<<"$out" | xargs)" '0 0 1 2 3' 'srun in salloc -S0 has all cores of the node'
run srun -S0 -n4 sh -c 'echo $SLURM_PROCID'
tap_is "$rc $(sort -n <<<"$out" | xargs)" '0 0 1 2 3' 'so has srun -S0 with its own allocation'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
