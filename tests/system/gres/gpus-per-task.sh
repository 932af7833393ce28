#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# GPUs by task and socket: --gpu-bind, --tres-bind, --ntasks-per-gpu, --gpus-per-socket, --tres-per-task.  What tasks see is what Slurm's see.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
mkdir dev && touch dev/nvidia{0..3}
cluster_conf 'n[1-2]' 'GresTypes=gpu,craynic' \
        'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000 Gres=gpu:4,craynic:3'
echo "Name=gpu File=$DIR/dev/nvidia[0-3]" >gres.conf
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }

free() { wait_nodes 20 'n[1-2]' idle; } # where processes are ended by signals a job has its GPUs a little longer than srun lasts
seen() { # OPTION...: what each task sees
        free
        run srun "$@" sh -c 'echo "$SLURM_PROCID:$CUDA_VISIBLE_DEVICES/$SLURM_STEP_GPUS"'
        echo "$rc $(sort -n <<<"$out" | paste -sd' ')"
}
tap_is "$(seen -N1 -n4 --gpus-per-node=2)" '0 0:0,1/0,1 1:0,1/0,1 2:0,1/0,1 3:0,1/0,1' 'all tasks see all GPUs'
while read -r how wanted; do
        tap_is "$(seen -N1 -n4 --gpus-per-node=2 "--gpu-bind=$how")" "0 $wanted" "--gpu-bind=$how"
done <<END
none 0:/ 1:/ 2:/ 3:/
closest 0:0,1/0,1 1:0,1/0,1 2:0,1/0,1 3:0,1/0,1
single:1 0:0/0 1:1/1 2:0/0 3:1/1
single:2 0:0/0 1:0/0 2:1/1 3:1/1
per_task:2 0:0,1/0,1 1:0/0 2:0/0 3:0/0
map_gpu:1,0 0:1/1 1:0/0 2:1/1 3:0/0
map_gpu:0*2,1*2 0:0/0 1:0/0 2:1/1 3:1/1
mask_gpu:0x3,0x2 0:0,1/0,1 1:1/1 2:0,1/0,1 3:1/1
END
free && run srun -N1 -n1 --gpus-per-node=2 --gpu-bind=verbose,map_gpu:1 true
tap_is "$rc|$err" '0|gpu-bind: usable_gres=0x2; bit_alloc=0x3; global_list=1; local_list=1' 'verbose says so'
free && run srun -N1 -n1 --gpus-per-node=1 --gpu-bind=map_gpu:3 sh -c 'echo $CUDA_VISIBLE_DEVICES'
tap_like "$rc|$out|$err" '^0\|0\|slurmstepd.*error: --gpu-bind=map_gpu:3: task 0 has none of these GPUs and sees the first' 'one that the step does not have'
run srun -N1 --gpu-bind=bogus true
tap_like "$rc|$err" '^255\|srun: error: Invalid --gpu-bind argument: "bogus": none, closest, .* was expected' 'what is no binding'
tap_is "$(SLURM_GPU_BIND=single:1 seen -N1 -n2 --gpus=2)" '0 0:0/0 1:1/1' 'SLURM_GPU_BIND'
free && sbatch -W -Q -o job.out -N1 -n2 --gpus=2 --gpu-bind=single:1 --wrap 'srun -l sh -c "echo \$CUDA_VISIBLE_DEVICES" | sort'
tap_is "$?|$(cat job.out)" $'0|0: 0\n1: 1' 'sbatch --gpu-bind is for its steps'
# shellcheck disable=SC2016 # the script expands them
free && sbatch -W -Q -o job.out -N1 -n1 --gpus=2 --tres-bind=gres/gpu:map:1,0 --wrap 'scontrol show job $SLURM_JOB_ID | grep -o "TresBind=.*"
squeue -h -j $SLURM_JOB_ID -O tres-bind:.30 | tr -d " "
scontrol show job $SLURM_JOB_ID --json | grep -o "\"tres_bind\": *\"[^\"][^\"]*\"" | tr -d " "
srun sh -c "scontrol show step \$SLURM_JOB_ID.\$SLURM_STEP_ID | grep -o TresBind=.*"
srun --gpu-bind=verbose,single:2 sh -c "scontrol show step \$SLURM_JOB_ID.\$SLURM_STEP_ID | grep -o TresBind=.*" 2>/dev/null'
tap_is "$?|$(cat job.out)" '0|TresBind=gres/gpu:map_gpu:1,0
gres/gpu:map_gpu:1,0
"tres_bind":"gres/gpu:map_gpu:1,0"
TresBind=gres/gpu:map_gpu:1,0
TresBind=gres/gpu:verbose,single:2' 'job and step are shown with it'

tap_is "$(seen -N1 -n2 --gpus-per-node=2 --tres-bind=gres/gpu:map:1,0)" '0 0:1/1 1:0/0' '--tres-bind=gres/gpu:'
tap_is "$(SLURM_TRES_BIND=gres/gpu:mask:0x2,0x1 seen -N1 -n2 --gpus=2)" '0 0:1/1 1:0/0' 'SLURM_TRES_BIND'
free && SBATCH_TRES_BIND=gres/gpu:single:1 sbatch -W -Q -o job.out -N1 -n2 --gpus=2 --wrap 'srun -l sh -c "echo \$CUDA_VISIBLE_DEVICES" | sort'
tap_is "$?|$(cat job.out)" $'0|0: 0\n1: 1' 'SBATCH_TRES_BIND is for the steps of the job'
free
tap_is "$(SALLOC_TRES_BIND=gres/gpu:single:1 salloc -Q -N1 -n2 --gpus=2 srun -l sh -c 'echo $CUDA_VISIBLE_DEVICES' | sort)" $'0: 0\n1: 1' 'SALLOC_TRES_BIND likewise'
run srun -N1 --tres-bind=gres/craynic:single:1 true
tap_is "$rc|$err" '255|srun: error: Invalid --tres-bind argument: "gres/craynic:single:1": gres/gpu:[verbose,]HOW was expected; only GPUs are bound' 'what is not bound'

tap_is "$(seen -N1 -n2 --gpus-per-task=2)" '0 0:0,1/0,1 1:2,3/2,3' '--gpus-per-task'
tap_is "$(seen -N1 -n4 --ntasks-per-gpu=2)" '0 0:0/0 1:0/0 2:1/1 3:1/1' '--ntasks-per-gpu: GPUs follow from tasks'
tap_is "$(seen -N1 --gpus=2 --ntasks-per-gpu=2)" '0 0:0/0 1:0/0 2:1/1 3:1/1' 'and tasks from GPUs'
tap_is "$(seen -N1 --gpus=2 --ntasks-per-tres=2)|$(seen -N1 -n2 --ntasks-per-tres=1)" '0 0:0/0 1:0/0 2:1/1 3:1/1|0 0:0/0 1:1/1' '--ntasks-per-tres likewise'
free
tap_is "$(srun -N2 --gpus=4 --ntasks-per-gpu=2 sh -c 'echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES"' | sort | uniq -c | xargs)" \
        '2 n1 0 2 n1 1 2 n1 2 2 n2 0' 'over two nodes each task has a GPU, and each GPU two'
free && id=$(sbatch --parsable -W -o job.out -N2 --gpus-per-node=2 --ntasks-per-gpu=1 --wrap 'echo $SLURM_NTASKS $SLURM_NTASKS_PER_GPU $SLURM_TASKS_PER_NODE; srun -l sh -c "echo \$SLURM_STEP_GPUS" | sort')
tap_is "$(paste -sd' ' job.out)" '4 1 2(x2) 0: 0 1: 1 2: 0 3: 1' 'in a job, and its steps'
tap_like "$(scontrol show job "$id")" '^   NtasksPerTRES=1$' 'scontrol shows it'

free && id=$(sbatch --parsable -W -o job.out --gpus-per-socket=1 --sockets-per-node=2 -N1 --wrap 'echo $SLURM_JOB_GPUS $SLURM_NTASKS $SLURM_GPUS_PER_SOCKET')
tap_is "$(cat job.out)|$(job_show "$id" %b)" '0,1 2 1|N/A' '--gpus-per-socket: for each of --sockets-per-node'
tap_like "$(scontrol show job "$id")" '^   TresPerSocket=gres/gpu:1$' 'scontrol shows it'
tap_is "$(srun -N2 --gpus-per-socket=1 --sockets-per-node=2 sh -c 'echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES"' | sort | uniq -c | xargs)" \
        '2 n1 0,1 2 n2 0,1' 'one task for each socket, on each node'
run sbatch --gpus-per-socket=1 --wrap true
tap_is "$rc|$err" '1|sbatch: error: --gpus-per-socket option requires --sockets-per-node specification' 'it wants to know how many'
run sbatch --gpus-per-socket=3 --sockets-per-node=2 -N1 --wrap true
tap_like "$rc|$err" '^1\|.*Requested node configuration is not available' 'more than a node has'

free && id=$(sbatch --parsable -W -o job.out -n2 -N1 --tres-per-task=cpu=2,gres/gpu=1,gres/craynic=1 --wrap 'echo $SLURM_CPUS_PER_TASK $SLURM_GPUS_PER_TASK $SLURM_TRES_PER_TASK; srun -l sh -c "echo \$CUDA_VISIBLE_DEVICES" | sort')
tap_is "$(paste -sd' ' job.out)" '2 1 gres/gpu:1,gres/craynic:1 0: 0 1: 1' '--tres-per-task'
tap_like "$(scontrol -o show job "$id")" ' NumCPUs=4 .* TresPerTask=cpu=2,gres/gpu:1,gres/craynic:1' 'scontrol shows it'
tap_is "$(seen -N1 -n2 --tres-per-task=cpu=2,gres/gpu=2)" '0 0:0,1/0,1 1:2,3/2,3' 'srun --tres-per-task'
free
tap_is "$(salloc -Q -N1 -n8 --gpus=4 srun -n2 --tres-per-task=cpu=2,gres/gpu=1 sh -c 'echo $SLURM_CPUS_PER_TASK $SLURM_CPUS_ON_NODE $CUDA_VISIBLE_DEVICES' | sort)" $'2 4 0\n2 4 1' 'a step of a job has what it asks for'
run srun --tres-per-task=mem=20 true
tap_like "$rc|$err" '^255\|srun: error: Invalid --tres-per-task specification: "mem=20": cpu=COUNT, ' 'memory is not of a task'
run sbatch -n4 -N1 --tres-per-task=gres/craynic=1 --wrap true
tap_like "$rc|$err" '^1\|.*Requested node configuration is not available' 'three of them are not enough for four tasks'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
