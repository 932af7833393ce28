#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sstat: what running steps use, asked of their nodes; which users may see it; a node that does not answer holds nothing up.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"; cd "$DIR" || exit 1
cluster_conf 'n[1-2]'
cluster_up 'a cluster' n1 n2

# A task of 64 MB that says when it has them; the other task has none.
cat >task <<'END'
#!/bin/bash
[ "$SLURM_PROCID" = 1 ] && printf -v block '%*s' 67108864 ''
for ((i = 0; i < 200000; i++)); do :; done
echo "$BASHPID" >"pid.$SLURM_PROCID"
mv "pid.$SLURM_PROCID" "ready.$SLURM_PROCID"
read -r -t 600 _ <>never
END
chmod +x task
mkfifo never
id=$(sbatch --parsable -N2 -o out --wrap "srun -n2 ./task")
wait_for 30 test -e ready.0 -a -e ready.1
tap_ok $? 'a step of two tasks runs'

run sstat -n -P -j "$id" -o JobID,NTasks,MaxRSSNode,MaxRSSTask,Nodelist,MinCPUTask
tap_like "$rc|$out|$err" "^0\\|$id.0\\|2\\|n2\\|1\\|n\\[1-2\\]\\|[01]\\|\$" 'the step, its task with most memory and where'
run sstat -n -P --noconvert -j "$id.0" -o MaxRSS,MaxVMSize,AveRSS
IFS='|' read -r most address average <<<"$out"
((most > 64000000 && address > most && average < most && average > most / 2))
tap_ok $? "sizes ($out)"
run sstat -n -P -j "$id" -o TRESUsageInMaxTask,TRESUsageInMaxNode
tap_like "$out" '^cpu=[01],fs/disk=[01],mem=1,pages=[01],vmem=1\|cpu=n[12],fs/disk=n[12],mem=n2,' 'as TRES'
run sacct -n -P -j "$id" -o JobID,NTasks,MaxRSSNode,MaxRSSTask
tap_is "$rc|$out" "0|$id|||
$id.batch|1|n1|0
$id.0|2|n2|1" 'sacct of a job that runs: the same'
run sacct -n -P -j "$id.0" --noconvert -o MaxRSS,AveRSS,TotalCPU
IFS='|' read -r most average cpu <<<"$out"
((most > 64000000 && average < most && average > most / 2)) && [ -n "$cpu" ]
tap_ok $? "... and sizes ($out)"
run sstat -n -P -aj "$id" -o jobid,ntasks
tap_is "$rc|$out" "0|$id.batch|1
$id.0|2" '-a: the script too'
run sstat -n -P -i -j "$id.0"
tap_is "$rc|$out" "0|$id.0|n1|$(cat ready.0)
$id.0|n2|$(cat ready.1)" '-i: processes of each node'
run sstat -n -P -j "$id.batch" -o jobid,nodelist
tap_is "$rc|$out" "0|$id.batch|n1" 'the script alone'
run sstat -j "$id" -o jobid,ntasks,maxrssnode
tap_is "$out" "JobID          NTasks MaxRSSNode 
------------ -------- ---------- 
$id.0                 2         n2 " 'heading and widths'

run sstat
tap_is "$rc|$err" "1|sstat: error: You didn't give me any jobs to stat." 'without jobs'
run sstat -n -j 99
tap_is "$rc|$out|$err" '0||sstat: error: No steps running for job 99' 'an unknown job'
run sstat -n -j "$id.7"
tap_is "$rc|$out|$err" "0||sstat: error: StepId=$id.7 not found running." 'an unknown step'
run sstat -n -j x
tap_is "$rc|$out|$err" '1||sstat: error: Bad job/step specified: x' 'no number'
run sstat -j "$id" -o foo
tap_is "$rc|$out|$err" '1||sstat: error: Invalid field requested: "foo"' 'an unknown field'
run setpriv --reuid 65534 --regid 65534 --clear-groups "$DIR/bin/sstat" -n -j "$id"
tap_is "$rc|$out|$err" "1||sstat: error: StepId=$id.0: Access/permission denied" 'of another user'

daemon=$(cat run/n2.pid)
kill -STOP "$daemon"
run sstat -n -P -j "$id" -o JobID,MaxRSSNode
tap_is "$rc|$out|$err" "1|$id.0|n1|sstat: error: StepId=$id.0: no answer from n2" 'a node that does not answer is named'
kill -CONT "$daemon"
run sstat -n -P -j "$id" -o JobID,MaxRSSNode
tap_is "$rc|$out" "0|$id.0|n2" '... until it does'
scancel "$id"
wait_job 20 "$id" CANCELLED

# ---- a job that runs again: its processes have the same name ----
cat >again <<'END'
#!/bin/bash
count=${SLURM_RESTART_COUNT:-0}
echo "$$" >"new.$count" && mv "new.$count" "at.$count"
read -r -t 600 _ <>never
END
chmod +x again
id=$(sbatch --parsable --requeue -N1 -o out --wrap 'srun -n1 ./again')
wait_for 30 test -e at.0
run sstat -n -P -i -j "$id.0"
tap_like "$rc|$out" "^0\\|$id.0\\|n[12]\\|$(cat at.0)$" 'a step of a job'
scontrol requeue "$id"
scontrol update jobid="$id" StartTime=now
wait_for 60 test -e at.1
step=$(squeue -h -s -j "$id" -o %i | grep -v batch)
run sstat -n -P -i -j "$step"
tap_like "$rc|$out|$err" "^0\\|$step\\|n[12]\\|$(cat at.1)\\|$" 'the step of its next run, not of the one before'
run sstat -n -P -i -j "$step,$step"
tap_like "$rc|$(paste -sd' ' <<<"$out")|$err" "^0\\|$step\\|n[12]\\|$(cat at.1)( $step\\|n[12]\\|$(cat at.1))?\\|$" \
        'a step that is named twice'
scancel "$id"
tap_done
