#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is said of a step that was cancelled, how sacct orders what a job had, and how a step knows its own distribution.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
rows() { sacct -nP -j "$1" -o "$2" | paste -sd' '; }

# ---- scancel JOB.STEP ----
cat >script <<'EOS'
#!/bin/bash
srun -n1 sleep 600
srun -n1 sleep 601
srun -n1 sh -c 'trap "exit 0" TERM; touch trapped; while :; do sleep 0.05; done'
true
EOS
a=$(sbatch --parsable --mem=100 script)
stepped() { [[ $(rows "$a" jobid,state) == *"$a.$1|RUNNING"* ]]; }
wait_for 30 stepped 0 && scancel "$a.0" && wait_for 30 stepped 1
tap_is "$?|$(rows "$a.0" state)" "0|CANCELLED by $(id -u)" 'a step that was cancelled'
tap_is "$(sacct -n -j "$a.0" -o state | tr -d ' ')" 'CANCELLED+' 'in a narrow column'
scancel "$a.1"
ctld_kill9
ctld_start
wait_for 30 test -e trapped && wait_for 30 stepped 2
tap_is "$?|$(rows "$a.1" state)" "0|CANCELLED by $(id -u)" 'also over kill -9 of the controller'
agent_kill9 n1
silent() { [[ $(sinfo -h -n n1 -o %t) == *\* ]]; }
wait_for 20 silent
scancel "$a.2"
agent_start n1
wait_job 20 "$a" COMPLETED
tap_is "$(rows "$a" state)" "COMPLETED COMPLETED CANCELLED by $(id -u) CANCELLED by $(id -u) COMPLETED" 'a step that ends well when told to is complete, though its node was not there then'

# ---- a row is there as soon as the end is known ----
cat >quick <<'EOS'
#!/bin/bash
for i in 0 1 2 3 4 5; do srun -n1 true; sacct -nP -j "$SLURM_JOB_ID.$i" -o state; done >quick.out 2>&1
EOS
q=$(sbatch --parsable quick) && wait_job 60 "$q" COMPLETED
tap_is "$(sort quick.out | uniq -c | xargs)" '6 COMPLETED' 'sacct has a step that srun has just seen the end of'

# ---- TRES ----
tap_like "$(sacct -nPX -j "$a" -o alloctres)" '^billing=[0-9]+,cpu=[0-9]+,mem=[0-9]+M,node=1$' 'AllocTRES by name'
tap_like "$(sacct -nPX -j "$a" -o reqtres)" '^billing=[0-9]+,cpu=[0-9]+,mem=[0-9]+M,node=1$' 'ReqTRES too'

# ---- the distribution of a step ----
cat >deal <<'EOS'
#!/bin/bash
said() { echo "$SLURM_DISTRIBUTION/$SLURM_DIST_PLANESIZE"; }
ask='echo "$SLURM_DISTRIBUTION/$SLURM_DIST_PLANESIZE"'
{ said; srun -n1 sh -c "$ask"; srun -n1 -m block sh -c "$ask"; srun -n1 -m plane=4 sh -c "$ask"; srun -n1 -m cyclic sh -c "$ask"; } 2>&1 | paste -sd' ' >dealt.$1
EOS
b=$(sbatch --parsable -m plane=2 -n2 deal plane) && wait_job 30 "$b" COMPLETED
tap_is "$(cat dealt.plane)" 'plane/2 plane/2 block/ plane/4 cyclic/' 'in a job of plane=2'
b=$(sbatch --parsable -m cyclic -n2 deal cyclic) && wait_job 30 "$b" COMPLETED
tap_is "$(cat dealt.cyclic)" 'cyclic/ cyclic/ block/ plane/4 cyclic/' 'in a job of cyclic'
tap_done
