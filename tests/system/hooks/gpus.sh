#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prolog and Epilog are told the GPUs of their job on their node, also of a job without a step there.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
mkdir dev && touch dev/nvidia{0..3}
cat >hook <<END
#!/bin/sh
echo "\${SLURM_SCRIPT_CONTEXT%_slurmd} \$SLURMD_NODENAME \$CUDA_VISIBLE_DEVICES \$SLURM_JOB_GPUS \$SLURM_ARRAY_TASK_ID" >>$DIR/said
END
chmod 755 hook
cluster_conf 'n[1-2]' GresTypes=gpu "Prolog=$DIR/hook" "Epilog=$DIR/hook" \
        'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:4'
echo "NodeName=n[1-2] Name=gpu File=$DIR/dev/nvidia[0-3]" >gres.conf
cluster_up 'two nodes with GPUs' n1 n2
: >said
run timeout 60 salloc -N2 --gpus-per-node=3 sh -c 'srun -N1 -n1 -w n1 --gpus=1 true; sbatch -W -N1 -w n1 --gpus=1 --wrap true'
tap_is "$rc" 0 'a job with GPUs on two nodes, a step on one, and another job beside it'
wait_for 20 eval '[ "$(wc -l <said)" = 5 ]'
tap_is "$(sort said | paste -sd,)" \
        'epilog n1 0,1,2 0,1,2 ,epilog n1 3 3 ,epilog n2 0,1,2 0,1,2 ,prolog n1 0,1,2 0,1,2 ,prolog n1 3 3 ' \
        'their hooks know them by the numbers of the node'
: >said
sbatch -a 7 -w n1 --wrap true >/dev/null
wait_for 20 eval '[ "$(wc -l <said)" = 2 ]'
tap_is "$(paste -sd, said)" 'prolog n1   7,epilog n1   7' 'a job without GPUs, a task of an array'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
