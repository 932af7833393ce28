#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# GPUs and other generic resources, with files in place of devices: what jobs and steps are given and told, over a kill -9 of the
# controller; a device that is missing.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
mkdir dev && touch dev/nvidia{0..3} dev/card{5,7}
cluster_conf 'n[1-2]' 'GresTypes=gpu,craynic' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000 Gres=gpu:a100:4(S:0),craynic:2'
cat >gres.conf <<EOG
AutoDetect=off
NodeName=n1 Name=gpu Type=a100 File=$DIR/dev/nvidia[0-3]
NodeName=n2 Name=gpu Type=a100 File=$DIR/dev/card5,$DIR/dev/card[7-9]
Name=craynic Count=2
EOG
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
agent_start n2
drained() { scontrol show node n2 | grep -q 'Reason=gres/gpu:a100 count reported lower than configured (2 < 4)'; }
wait_for 20 drained
tap_like "$(scontrol show node n2)" 'State=IDLE\+DRAIN\+INVALID_REG' 'a node that finds fewer devices than configured is drained'
touch dev/card{8,9}
scontrol reconfigure && scontrol update nodename=n2 state=resume && wait_nodes 20 n2 idle
tap_ok $? 'and can be resumed when they are there'

show=$(scontrol -d show node n1)
tap_like "$show" '^   Gres=gpu:a100:4\(S:0\),craynic:2$' 'scontrol show node: Gres'
tap_like "$show" 'CfgTRES=cpu=8,mem=1000M,billing=8,gres/craynic=2,gres/gpu=4' '... CfgTRES'
tap_like "$(scontrol show part main)" 'TRES=cpu=16,mem=2000M,node=2,billing=16,gres/craynic=4,gres/gpu=8' 'show partition: TRES'
tap_is "$(sinfo -h -o %G)" 'gpu:a100:4(S:0),craynic:2' 'sinfo %G'
run sbatch --gres=gpu:v100:1 --wrap true
tap_is "$rc|$err" '1|sbatch: error: no node has gres/gpu:v100
sbatch: error: Batch job submission failed: Invalid generic resource (gres) specification' 'a kind that no node has'
run sbatch --gres=gpu:5 --wrap true
tap_is "$rc|$(tail -n1 <<<"$err")" '1|sbatch: error: Batch job submission failed: Requested node configuration is not available' 'more than a node has'
run sbatch --gres=gpu:x:y:1 --wrap true
tap_like "$rc $err" '^1 sbatch: error: .*Invalid --gres specification: ' 'what is not understood'
run sbatch --gpus-per-task=1 --wrap true
tap_like "$rc $err" 'gpus-per-task used without either --gpus or -n' '--gpus-per-task wants to know the tasks'

vars='CUDA_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL=$GPU_DEVICE_ORDINAL JOB_GPUS=$SLURM_JOB_GPUS STEP_GPUS=$SLURM_STEP_GPUS ON_NODE=$SLURM_GPUS_ON_NODE'
first=$(sbatch --parsable -w n1 --gres=gpu:1,craynic -o /dev/null --wrap "echo \"$vars\" >one; until [ -e go ]; do sleep 0.02; done")
second=$(sbatch --parsable -w n1 -c 6 --gres=gpu:a100:2 -o out2 --wrap "echo \"$vars\" >two
srun -n1 -c1 --exact --gres=gpu:1 sh -c 'echo \"$vars\" >step.a; until [ -e half ]; do sleep 0.02; done' &
until [ -e step.a ]; do sleep 0.02; done
srun -n1 -c1 --exact --gres=gpu:1 sh -c 'echo \"$vars\" >step.b' 
srun -n1 -c1 --exact --gres=gpu:2 sh -c 'echo \"$vars\" >step.c' &
until [ -e go ]; do sleep 0.02; done
wait")
third=$(sbatch --parsable -w n1 --gres=gpu:2 -o /dev/null --wrap true)
wait_job 20 "$first" RUNNING && wait_for 20 test -s one && wait_for 20 test -s step.b
tap_is "$(cat one)" 'CUDA_VISIBLE_DEVICES=0 GPU_DEVICE_ORDINAL=0 JOB_GPUS=0 STEP_GPUS= ON_NODE=1' 'a script is told its GPU'
tap_is "$(cat two)" 'CUDA_VISIBLE_DEVICES=1,2 GPU_DEVICE_ORDINAL=1,2 JOB_GPUS=1,2 STEP_GPUS= ON_NODE=2' '... another one others'
tap_is "$(cat step.a)|$(cat step.b)" 'CUDA_VISIBLE_DEVICES=1 GPU_DEVICE_ORDINAL=1 JOB_GPUS=1,2 STEP_GPUS=1 ON_NODE=1|CUDA_VISIBLE_DEVICES=2 GPU_DEVICE_ORDINAL=2 JOB_GPUS=1,2 STEP_GPUS=2 ON_NODE=1' \
        'steps that ask have units of their own'
tap_is "$(job_show "$third" '%t %r %b')" 'PD Resources gres/gpu:2' 'a job waits for what is in use'
show=$(scontrol -d show job "$second")
tap_like "$show" 'AllocTRES=cpu=6,node=1,billing=6,gres/gpu=2' 'show job: AllocTRES'
tap_like "$show" 'ReqTRES=cpu=6,node=1,billing=6,gres/gpu=2' '... ReqTRES'
tap_like "$show" 'JOB_GRES=gpu:a100:2' '... JOB_GRES'
tap_like "$show" 'Nodes=n1 CPU_IDs=[0-9,-]* Mem=0 GRES=gpu:a100:2\(IDX:1-2\)' '... which, with -d'
tap_like "$show" 'TresPerNode=gres/gpu:a100:2' '... TresPerNode'
tap_like "$(scontrol -d show node n1)" 'GresUsed=gpu:a100:3\(IDX:0-2\),craynic:1\(IDX:0\)' 'show node: GresUsed'
tap_like "$(scontrol show node n1)" 'AllocTRES=cpu=7,gres/craynic=1,gres/gpu=3' '... AllocTRES'
tap_is "$(sinfo -h -n n1 -O GresUsed:40 | tr -d ' ')" 'gpu:a100:3(IDX:0-2),craynic:1(IDX:0)' 'sinfo -O GresUsed'
[ -e step.c ]
tap_is $? 1 'a step waits for units of another'

ctld_kill9
ctld_start && wait_nodes 20 n2 idle
tap_like "$(scontrol -d show node n1)" 'GresUsed=gpu:a100:3\(IDX:0-2\),craynic:1\(IDX:0\)' 'a controller that was killed knows which job has which'
tap_is "$(job_show "$third" '%t')" PD 'and gives nothing twice'
touch half
wait_for 20 test -s step.c
tap_is "$(cat step.c)" 'CUDA_VISIBLE_DEVICES=1,2 GPU_DEVICE_ORDINAL=1,2 JOB_GPUS=1,2 STEP_GPUS=1,2 ON_NODE=2' 'until it has ended'
touch go
wait_job 20 "$first" COMPLETED && wait_job 20 "$second" COMPLETED && wait_job 20 "$third" COMPLETED
tap_ok $? 'all have their turn'
wait_nodes 20 'n[1-2]' idle
whole=$(sbatch --parsable -W -w n1 --exclusive -o /dev/null --wrap true)
had() { scontrol show job "$1" | grep -o 'AllocTRES=.*'; }
before="$(had "$second") $(had "$whole")"
tap_is "$before" 'AllocTRES=cpu=6,node=1,billing=6,gres/gpu=2 AllocTRES=cpu=8,node=1,billing=8,gres/craynic=2,gres/gpu=4' \
        'show job: AllocTRES of jobs that are over'
ctld_kill9
ctld_start && wait_nodes 20 'n[1-2]' idle
tap_is "$(had "$second") $(had "$whole")" "$before" '... also after the controller was killed'
run srun -N2 -n4 --gpus-per-task=2 sh -c 'echo $SLURMD_NODENAME $CUDA_VISIBLE_DEVICES'
tap_is "$rc|$(sort <<<"$out" | paste -sd' ')" '0|n1 0,1 n1 2,3 n2 5,7 n2 8,9' '--gpus-per-task: each its own, by the number of its file'
run srun -N1 -w n1 --gres=gpu:1 --gres=none sh -c 'echo "$CUDA_VISIBLE_DEVICES."'
tap_is "$rc|$out" '0|.' '--gres=none'
run srun --gpus=6 -N2 sh -c 'echo $SLURM_GPUS_ON_NODE $SLURM_GPUS'
tap_is "$rc|$(sort <<<"$out" | paste -sd' ')" '0|2 6 4 6' '--gpus: so many altogether'
run srun -w n1 -N1 --exclusive sh -c 'echo $CUDA_VISIBLE_DEVICES'
tap_is "$rc|$out" '0|0,1,2,3' '--exclusive: all of the node'
run salloc -w n1 --gres=gpu:1 srun --gres=gpu:2 true
tap_like "$rc $err" 'Invalid generic resource \(gres\) specification' 'a step cannot have more than its job'
sed -i 's/^AutoDetect=off/AutoDetect=oneapi/' gres.conf
run scontrol reconfigure
tap_like "$rc $err" '1 .*gres.conf line 1: AutoDetect: AutoDetect=oneapi is not implemented by Slumber' 'an AutoDetect that is not there is refused by name'
sed -i 's/^AutoDetect=oneapi/AutoDetect=off/; /craynic/d' gres.conf
sed -i 's/,craynic:2//' slurm.conf
ctld_stop
ctld_start && wait_nodes 20 'n[1-2]' idle
tap_is "$(had "$whole")" 'AllocTRES=cpu=8,node=1,billing=8,gres/gpu=4' 'a job that is over is known also when its node has lost some of what it had'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
