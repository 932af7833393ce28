#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Rows of steps when the controller is killed in the middle of a job's end, and steps that ended before sacct -S.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory KillWait=60
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
rows() { sacct -nP -j "$1" -o "$2" | paste -sd' '; }

# ---- killed while the steps of a cancelled job are being ended ----
cat >script <<'EOS'
#!/bin/bash
srun -n1 true
srun -n2 -N2 sh -c 'trap "" TERM; : >in.$SLURM_PROCID; until [ -e go ]; do sleep 0.02; done; exit 7'
EOS
a=$(sbatch --parsable -N2 -n2 --mem=100 script)
both_in() { [ -e in.0 ] && [ -e in.1 ]; }
wait_for 30 both_in && scancel "$a" && wait_job 20 "$a" COMPLETING
tap_ok $? 'a job that is being ended, and its step takes its time'
ctld_kill9
ctld_start
touch go
wait_job 30 "$a" CANCELLED
tap_is "$?|$(rows "$a" jobid)" "0|$a $a.batch $a.0 $a.1" 'all its steps have rows, also those that ended afterwards'
tap_like "$(rows "$a.1" state,ntasks,nnodes,totalcpu)" '^(FAILED|CANCELLED)\|2\|2\|00:0' 'with what they have used on both nodes'
again=$(rows "$a" jobid,state,totalcpu)
ctld_kill9
ctld_start
tap_is "$(rows "$a" jobid,state,totalcpu)" "$again" 'and one row each'

# ---- sacct -S ----
cat >long <<'EOS'
#!/bin/bash
srun -n1 true
: >first
until [ -e enough ]; do sleep 0.02; done
EOS
b=$(sbatch --parsable long)
wait_for 30 test -e first
later() { [ "$(date +%s)" -gt "$over" ]; }
over=$(date +%s) && wait_for 5 later
since=$(date +%Y-%m-%dT%H:%M:%S)
tap_is "$(sacct -a -S "$since" -nP -o jobid,state | paste -sd' ')" "$b|RUNNING $b.batch|RUNNING $b.0|COMPLETED" 'a step that was over before -S, of a job that runs'
touch enough
wait_job 30 "$b" COMPLETED
tap_is "$(sacct -a -S "$since" -nP -o jobid,state | paste -sd' ')" "$b|COMPLETED $b.batch|COMPLETED $b.0|COMPLETED" '... and that has ended since'
tap_done
