#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job with --stepmgr whose nodes still power up: srun waits until they are up, commands that show steps answer.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
program_conf 'n[1-2]' ResumeTimeout=120
ctld_start
wait_nodes 20 'n[1-2]' 'idle~'
tap_ok $? 'two nodes are off' || { cluster_logs; tap_done; }
id=$(sbatch --parsable --stepmgr -N2 -o /dev/null --wrap 'until [ -e off ]; do sleep 0.02; done')
wait_job 20 "$id" CONFIGURING
wait_for 20 grep -q ' on$' calls
tap_ok $? 'the nodes of a job power up'
srun --jobid="$id" -N2 sh -c 'echo $SLURM_STEP_ID' >out.step 2>err.step </dev/null &
step=$!
wait_for 20 test -s err.step
tap_like "$(cat err.step)" 'srun: .*(node|Nodes|nodes)' 'srun says what it waits for'
run squeue -h -s -j "$id"
tap_is "$rc|$out|$err" '0||' 'squeue -s shows no step'
run scontrol show step "$id"
tap_like "$rc|$out$err" "^1\|.*" 'scontrol show step knows none'
kill -0 "$step"
tap_ok $? 'srun still waits'
run sattach "$id.0"
tap_like "$rc" '^1$' 'sattach is refused'
agent_start n1 -b
agent_start n2 -b
wait_job 40 "$id" RUNNING
wait "$step"
tap_is "$?|$(xargs <out.step)" '0|0 0' 'the step starts when the nodes are up'
touch off
wait_job 20 "$id" COMPLETED
tap_ok $? 'the job ends'
cluster_sound
tap_ok $? 'the logs are sound'
[ "$TAP_FAILED" = 0 ] || cluster_logs
tap_done
