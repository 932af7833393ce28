#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Cores of gres.conf and --gres-flags: which cores a job gets with its GPUs, jobs that wait for such or are refused, over a kill -9 of the
# controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
mkdir dev && touch dev/nvidia{0..3}
cluster_conf n1 'GresTypes=gpu' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:4'
near() { printf '%s\n' "NodeName=n1 Name=gpu File=$DIR/dev/nvidia[0-1] Cores=$1" "NodeName=n1 Name=gpu File=$DIR/dev/nvidia[2-3] CPUs=$2" >gres.conf; }
held() { scontrol -d show job "$1" | sed -n 's/.*CPU_IDs=\([^ ]*\) .*GRES=\(.*\)/\1 \2/p'; }
batch() { sbatch --parsable -o /dev/null "$@" --wrap "until [ -e go.\$SLURM_JOB_ID ]; do sleep 0.02; done; echo \$SLURM_JOB_GPUS >gpus.\$SLURM_JOB_ID"; }
near 0-3 4-7
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }

near 0-3 4-8
run scontrol reconfigure
tap_like "$rc $err" '1 .*gres.conf line 2: Cores=4-8: node n1 has 8 cores, numbers from 0 to 7 were expected' 'cores that the node does not have'
near 0-3 4-x
run scontrol reconfigure
tap_like "$rc $err" '1 .*gres.conf line 2: CPUs: 4-x: numbers of cores were expected' '... and what is no list of any'
near 0-3 4-7
scontrol reconfigure
tap_ok $? 'a good one is read'
tap_is "$(scontrol show node n1 | grep -o 'Gres=.*')|$(sinfo -h -o %G)|$(sinfo -h -O Gres:13 | tr -d ' ')" 'Gres=gpu:4(S:0-1)|gpu:4(S:0-1)|gpu:4(S:0-1)' 'scontrol and sinfo say of which sockets the GPUs are'
near 4-5 6-7
scontrol reconfigure
tap_is "$(sinfo -h -o %G)" 'gpu:4(S:1)' '... all of one'
printf '%s\n' "Name=gpu File=$DIR/dev/nvidia[0-1] Cores=0" "Name=gpu File=$DIR/dev/nvidia[2-3]" >gres.conf
scontrol reconfigure
tap_is "$(sinfo -h -o %G)" 'gpu:4(S:0-1)' '... and of each where nothing is said'
printf '%s\n' "Name=gpu File=$DIR/dev/nvidia[0-3]" >gres.conf
scontrol reconfigure
tap_is "$(sinfo -h -o %G)" 'gpu:4' '... of none where nothing is said of any'
near 0-3 4-7
scontrol reconfigure

first=$(batch -n2 --gres=gpu:1)
second=$(batch -n2 --gres=gpu:2)
wait_job 20 "$first" RUNNING && wait_job 20 "$second" RUNNING
tap_is "$?|$(held "$first")|$(held "$second")" '0|0-1 gpu:1(IDX:0)|4-5 gpu:2(IDX:2-3)' 'cores and GPUs that lie together are given together'
rest=$(batch -n2)
wait_job 20 "$rest" RUNNING
tap_is "$?|$(held "$rest")" '0|2,6 ' 'a job without GPUs has some of both sockets'
third=$(batch -n4 --gres=gpu:1 --gres-flags=enforce-binding)
tap_is "$(job_show "$third" '%t %r')" 'PD Resources' 'a job that keeps to such cores waits for four of them'
tap_like "$(scontrol show job "$third")" '   GresEnforceBind=Yes' '... as scontrol show job says'
ctld_kill9
ctld_start && wait_nodes 20 n1 'mixed-?'
tap_is "$(held "$first")|$(held "$second")|$(job_show "$third" '%t')" '0-1 gpu:1(IDX:0)|4-5 gpu:2(IDX:2-3)|PD' 'a controller that was killed knows all that'
tap_like "$(scontrol show job "$third")" '   GresEnforceBind=Yes' '... and what was asked for'
touch "go.$second"
wait_job 20 "$second" COMPLETED
tap_is "$(job_show "$third" '%t')" PD 'four free cores that are not together are too few'
touch "go.$rest"
wait_job 20 "$third" RUNNING
tap_is "$?|$(held "$third")" '0|4-7 gpu:1(IDX:2)' 'until there are four'
touch "go.$first" "go.$third"
wait_job 20 "$first" COMPLETED && wait_job 20 "$third" COMPLETED
tap_is "$?|$(cat "gpus.$first" "gpus.$second" "gpus.$third" | paste -sd' ')" '0|0 2,3 2' 'all ran with the GPUs that they had'

wait_nodes 20 n1 idle
never='Requested node configuration is not available'
run sbatch -n5 --gres=gpu:1 --gres-flags=enforce-binding --wrap true
tap_is "$rc|$(tail -n1 <<<"$err")" "1|sbatch: error: Batch job submission failed: $never" 'more cores than lie near a GPU: refused'
run srun -n5 --gres=gpu:1 --gres-flags=enforce-binding true
tap_like "$rc $err" "1 .*$never" '... srun'
SALLOC_GRES_FLAGS=enforce-binding run salloc -n5 --gres=gpu:1 true
tap_like "$rc $err" "1 .*$never" '... salloc, by its environment'
run srun -N1 -n5 --gres=gpu:2 --gres-flags=enforce-binding sh -c 'echo $CUDA_VISIBLE_DEVICES'
tap_is "$rc|$(sort -u <<<"$out")" '0|0,2' 'two GPUs have cores enough near them'
free=$(batch -n2 --gres=gpu:1 --gres-flags=disable-binding)
wait_job 20 "$free" RUNNING
tap_is "$?|$(held "$free")" '0|0,4 gpu:1(IDX:0)' 'disable-binding: any cores'
tap_like "$(scontrol show job "$free")" '   GresEnforceBind=No' '... as scontrol show job says'
touch "go.$free"
wait_job 20 "$free" COMPLETED
three=$(batch -n1 --gres=gpu:3 --gres-flags=enforce-binding)
wait_job 20 "$three" RUNNING
tap_is "$?|$(held "$three")|$(job_show "$three" %C)" '0|0,4 gpu:3(IDX:0-2)|2' 'one task with three GPUs, of two sockets: a core of each'
touch "go.$three"
wait_job 20 "$three" COMPLETED
tap_is "$?|$(cat "gpus.$three")" '0|0,1,2' '... as its program sees'
run srun -n1 --gres=gpu:3 --gres-flags=enforce-binding sh -c 'echo $CUDA_VISIBLE_DEVICES $SLURM_CPUS_ON_NODE $SLURM_NTASKS'
tap_is "$rc|$out" '0|0,1,2 2 1' '... and srun'
run sbatch --gres-flags=allow-task-sharing --wrap true
tap_like "$rc $err" 'is not implemented by Slumber yet' 'other flags are refused'
run sbatch --gres-flags=near --wrap true
tap_like "$rc $err" 'Invalid --gres-flags specification: "near": enforce-binding or disable-binding was expected' '... and what is none'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
