#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gres/shard: jobs share a GPU in parts; what they, their steps and the commands are told, limits, and a controller that is killed.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
mkdir dev && touch dev/nvidia{0..1} dev/card{5,7} dev/gpu{3,4}
cluster_conf 'n[1-3]' 'GresTypes=gpu,shard,mps' 'AccountingStorageTRES=gres/gpu,gres/shard,gres/mps' \
        'NodeName=n1 NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000 Gres=gpu:2,shard:8' \
        'NodeName=n2 NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000 Gres=gpu:a100:2,shard:a100:6' \
        'NodeName=n3 NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000 Gres=gpu:2,mps:300'
cat >gres.conf <<EOG
NodeName=n1 Name=gpu File=$DIR/dev/nvidia[0-1]
Name=shard Count=8
NodeName=n2 Name=gpu Type=a100 File=$DIR/dev/card5,$DIR/dev/card7
NodeName=n2 Name=shard Count=2 File=$DIR/dev/card5
NodeName=n2 Name=shard Count=4 File=$DIR/dev/card7
NodeName=n3 Name=gpu File=$DIR/dev/gpu[3-4]
NodeName=n3 Name=mps Count=200 File=$DIR/dev/gpu3
NodeName=n3 Name=mps Count=100 File=$DIR/dev/gpu4
EOG
ctld_start && agent_start n1 && agent_start n2 && agent_start n3 && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
tap_is "$(sinfo -h -N -o '%N %G')" 'n1 gpu:2,shard:8
n2 gpu:a100:2,shard:a100:6
n3 gpu:2,mps:300' 'sinfo %G'
tap_like "$(scontrol show node n1)" 'CfgTRES=cpu=8,mem=1000M,billing=8,gres/gpu=2,gres/shard=8' 'show node: CfgTRES'

vars='CUDA=$CUDA_VISIBLE_DEVICES ORDINAL=$GPU_DEVICE_ORDINAL SHARDS=$SLURM_SHARDS_ON_NODE GPUS=$SLURM_GPUS_ON_NODE'
first=$(sbatch --parsable -w n1 --gres=shard:3 -o /dev/null --wrap "echo \"$vars JOB=\$SLURM_JOB_GPUS\" >one
srun -n1 --exact --gres=shard:1 sh -c 'echo \"$vars STEP=\$SLURM_STEP_GPUS\" >step; until [ -e go ]; do sleep 0.02; done'")
second=$(sbatch --parsable -w n1 --gres=shard:2 -o /dev/null --wrap "echo \"$vars\" >two; until [ -e go ]; do sleep 0.02; done")
wait_for 20 test -s step && wait_for 20 test -s two
tap_is "$(cat one)" 'CUDA=0 ORDINAL=0 SHARDS=3 GPUS= JOB=0' 'a script is told its GPU, and how many shards'
tap_is "$(cat step)" 'CUDA=0 ORDINAL=0 SHARDS=1 GPUS= STEP=0' 'a step has shards of its own'
tap_is "$(cat two)" 'CUDA=1 ORDINAL=1 SHARDS=2 GPUS=' 'all shards of a job are of one GPU'
third=$(sbatch --parsable -w n1 --gres=gpu:1 -o /dev/null --wrap true)
fourth=$(sbatch --parsable -w n1 --gres=shard:3 -o /dev/null --wrap true)
tap_is "$(job_show "$third" '%t %r %b')" 'PD Resources gres/gpu:1' 'a GPU with shards in use is not given whole'
tap_is "$(job_show "$fourth" '%t %r %b')" 'PD Resources gres/shard:3' 'and shards that are free on two GPUs are not put together'
show=$(scontrol -d show job "$first")
tap_like "$show" 'AllocTRES=cpu=1,node=1,billing=1,gres/shard=3' 'show job: AllocTRES'
tap_like "$show" 'JOB_GRES=shard:3' '... JOB_GRES'
tap_like "$show" 'GRES=shard:3\(3/4,0/4\)' '... of which GPU, with -d'
tap_like "$show" 'TresPerNode=gres/shard:3' '... TresPerNode'
tap_like "$(scontrol -d show node n1)" 'GresUsed=gpu:0,shard:5\(3/4,2/4\)' 'show node: GresUsed'
tap_like "$(scontrol show node n1)" 'AllocTRES=cpu=[0-9]+,gres/shard=5' '... AllocTRES'
run sbatch -w n2 --gres=shard:5 --wrap true
tap_like "$rc $err" '^1 .*Requested node configuration is not available' 'more than any GPU has'
run sbatch --gres=gpu:1,shard:1 --wrap true
tap_like "$rc $err" '^1 .*gres/gpu and gres/shard are not given to one job' 'a job has GPUs or shards'
run srun -w n2 --gres=shard:a100:3 sh -c 'echo $CUDA_VISIBLE_DEVICES $SLURM_SHARDS_ON_NODE'
tap_is "$rc|$out" '0|7 3' 'the GPU that has so many, by the number of its file'

# ---- gres/mps: the same, and CUDA's server is told the part ----
vars='$CUDA_VISIBLE_DEVICES $CUDA_MPS_ACTIVE_THREAD_PERCENTAGE ${SLURM_SHARDS_ON_NODE-none}'
job=$(sbatch --parsable -w n3 --gres=mps:50 -o /dev/null --wrap "echo \"$vars\" >mps; srun -n1 --gres=mps:10 sh -c 'echo \"$vars\" >mps.step'; until [ -e go.mps ]; do sleep 0.02; done")
wait_for 20 test -s mps.step
tap_is "$(cat mps mps.step)" '3 25 none
3 5 none' 'mps: a job is told its part of the GPU in percent, a step its own'
tap_like "$(scontrol -d show node n3)" 'GresUsed=gpu:0,mps:50\(50/200,0/100\)' '... show node: GresUsed'
run srun -w n3 --gres=mps:150 sh -c "echo $vars"
tap_is "$rc|$out" '0|3 75 none' '... what is left of a GPU'
run sbatch -w n3 --gres=mps:201 --wrap true
tap_like "$rc $err" '^1 .*Requested node configuration is not available' '... never of two GPUs'
run sbatch -w n3 --gres=gpu:1,mps:1 --wrap true
tap_like "$rc $err" '^1 .*gres/gpu and gres/mps are not given to one job' '... a job has GPUs or mps'
touch go.mps
wait_job 20 "$job" COMPLETED

ctld_kill9
ctld_start && wait_nodes 20 'n2' idle
tap_like "$(scontrol -d show node n1)" 'GresUsed=gpu:0,shard:5\(3/4,2/4\)' 'a controller that was killed knows which job has which'
tap_is "$(job_show "$third" '%t')$(job_show "$fourth" '%t')" PDPD 'and gives nothing twice'
touch go
wait_job 20 "$first" COMPLETED && wait_job 20 "$second" COMPLETED && wait_job 20 "$third" COMPLETED && wait_job 20 "$fourth" COMPLETED
tap_ok $? 'all have their turn'

sed -i 's/Gres=gpu:2,shard:8/Gres=shard:8/' slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '1 .*NodeName=n1 Gres=shard:8: shard wants gpu, of which it is a part' 'shards want GPUs'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
