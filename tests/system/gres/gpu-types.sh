#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --gpus of several types: what a job gets on each of its nodes, what its steps see, what commands and accounting say, and that it
# outlives the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
mkdir dev && touch dev/nvidia{0..3}
cluster_conf 'n[1-3]' 'GresTypes=gpu' 'AccountingStorageTRES=gres/gpu,gres/gpu:a,gres/gpu:b' \
        'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:a:2,gpu:b:2' \
        'NodeName=n3 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:b:4'
{
        echo "NodeName=n[1-2] Name=gpu Type=a File=$DIR/dev/nvidia[0-1]"
        echo "NodeName=n[1-2] Name=gpu Type=b File=$DIR/dev/nvidia[2-3]"
        echo "NodeName=n3 Name=gpu Type=b File=$DIR/dev/nvidia[0-3]"
} >gres.conf
ctld_start && for n in n1 n2 n3; do agent_start $n || break; done && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }

free() { wait_nodes 20 'n[1-3]' idle; }
seen() { free && srun "$@" sh -c 'echo "$SLURMD_NODENAME:$CUDA_VISIBLE_DEVICES/$SLURM_GPUS_ON_NODE"' | sort | paste -sd' '; }
tap_is "$(seen --gpus=a:2,b:1)" 'n1:0,1,2/3' 'one node'
tap_is "$(seen --gpus=a:3,b:1)" 'n1:0,1,2/3 n2:0/1' 'two: of each type so many altogether'
tap_is "$(seen -N3 --gpus=a:1,b:2)" 'n1:0/1 n2:2/1 n3:0/1' 'each node gives one, of whichever type'
tap_is "$(SLURM_GPUS=a:1,b:1 seen)" 'n1:0,2/2' 'SLURM_GPUS'
tap_is "$(seen --gpus=a:2,b:1 --gpus-per-task=a:1)" 'n1:0/2 n1:1/2' 'tasks follow from the type that each has'

free && id=$(SBATCH_GPUS=a:3,b:2 sbatch --parsable -W -N2 -o job.out --wrap '
        echo "$SLURM_GPUS $SLURM_JOB_GPUS"
        srun sh -c "echo \$SLURMD_NODENAME:\$CUDA_VISIBLE_DEVICES" | sort
        srun -N2 --gpus=a:1,b:1 sh -c "echo \$SLURMD_NODENAME:\$CUDA_VISIBLE_DEVICES" | sort
        srun -N1 --gpus=a:2,b:1 sh -c "echo \$SLURMD_NODENAME:\$CUDA_VISIBLE_DEVICES"
        srun -N1 --gpus=a:3 true 2>&1')
tap_is "$(head -6 job.out | paste -sd' ')" 'a:3,b:2 0,1,2 n1:0,1,2 n2:0,2 n1:0 n2:2 n1:0,1,2' 'SBATCH_GPUS; a job, its steps, and steps that ask for some of them'
tap_like "$(tail -1 job.out)" 'nodes of the job do not have so many generic resources|Invalid generic resource' 'what no node of the job has'
tap_like "$(scontrol -d -o show job "$id")" ' TresPerJob=gres/gpu:a:3,gres/gpu:b:2' 'scontrol shows what is asked for'
tap_like "$(scontrol -o show job "$id")" 'AllocTRES=[^ ]*gres/gpu=5,gres/gpu:a=3,gres/gpu:b=2' 'and what it had'
tap_like "$(sacct -X -n -P -j "$id" -o reqtres,alloctres)" 'gres/gpu:a=3,gres/gpu:b=2,gres/gpu=5,.*\|.*gres/gpu:a=3,gres/gpu:b=2,gres/gpu=5,' 'so does sacct'

# Of the job's n1 (a, b), n2 (a, b) and n3 (b): those that have most are not neighbours.
free && run salloc -Q -N3 --gpus=a:3,b:8 sh -c 'srun -N2 --gpus=a:2,b:6 sh -c "echo \$SLURMD_NODENAME:\$CUDA_VISIBLE_DEVICES" | sort; srun -N2 --gpus=a:2,b:7 true'
tap_is "$(paste -sd' ' <<<"$out")" 'n1:0,1,2,3 n3:0,1,2,3' 'a step on nodes that do not stand beside each other'
tap_like "$err" 'generic resources' 'and more than two of them have'
tap_is "$(seen --ntasks-per-gpu=1 --gpus=a:1,b:1)" 'n1:0/2 n1:2/2' '--ntasks-per-gpu of two types: each task has one'
tap_is "$(seen -N2 --ntasks-per-gpu=1 --gpus-per-node=a:1,b:1)" 'n1:0/2 n1:2/2 n2:0/2 n2:2/2' '... on each node'

# One runs and one waits while the controller dies.
free && run sbatch --parsable -o /dev/null --gpus=a:4,b:1 --wrap 'sleep 1000' && one=$out
run sbatch --parsable -H -o /dev/null --gpus=a:1 --wrap true && two=$out
run scontrol update JobId="$two" TresPerJob=gres/gpu:a:1,gres/gpu:b:7
tap_is "$rc|$(squeue -h -j "$two" -O tres-per-job:60 | xargs)" '0|gres/gpu:a:1,gres/gpu:b:7' 'scontrol update TresPerJob'
run scontrol update JobId="$two" TresPerJob=gres/gpu:a:1,gres/gpu:2
tap_like "$rc|$err" '^1\|.*with and without type identification' 'with and without a type'
run scontrol update JobId="$two" TresPerJob=gres/gpu:a:5,gres/gpu:b:1
tap_like "$rc|$err" '^1\|.*(Requested node configuration is not available)' 'more than there are'
wait_for 10 eval '[ "$(squeue -h -j $one -o %T)" = RUNNING ]'
before=$(scontrol -d show job "$one" | grep -E 'GRES=|Tres' | xargs)
scontrol release "$two"
ctld_kill9 && ctld_start
tap_is "$(scontrol -d show job "$one" | grep -E 'GRES=|Tres' | xargs)" "$before" 'the same after a restart'
tap_like "$before" 'Nodes=n1 .*GRES=gpu:a:2\(IDX:0-1\),gpu:b:1\(IDX:2\).* Nodes=n2 .*GRES=gpu:a:2\(IDX:0-1\)' 'which is what it asked for'
waits() { [ "$(squeue -h -j "$two" -o '%T %r')" = 'PENDING Resources' ]; }
wait_for 20 waits # its nodes are there again
tap_is "$(squeue -h -j "$two" -o '%T %r')" 'PENDING Resources' 'a job that waits for its end waits'
scancel "$one"
wait_for 20 eval '[ "$(job_show $two %T)" = COMPLETED ] || no_jobs -j $two -t PD,R,CG'
tap_like "$(scontrol -o show job "$two")" 'JobState=COMPLETED .*AllocTRES=[^ ]*gres/gpu=8,gres/gpu:a=1,gres/gpu:b=7' 'and has them then'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
