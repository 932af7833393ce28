#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --stepmgr with generic resources, with files in place of devices: the node deals them out to steps as the controller does, also
# after its slumberd was killed.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
mkdir dev && touch dev/nvidia{0..3}
cluster_conf n1 'GresTypes=gpu,craynic' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000 Gres=gpu:a100:4,craynic:2'
printf '%s\n' AutoDetect=off "Name=gpu Type=a100 File=$DIR/dev/nvidia[0-3]" 'Name=craynic Count=2' >gres.conf
cluster_up 'a cluster of one node' n1

have_steps() { [ "$(sacct -n -P -j "$1" -o jobid | grep -c "^$1[.][0-9]")" = "$2" ]; }
made_here() { grep -qs . "$DIR/spool.n1/makers"/*; }

# ---- the same steps by the controller and by the node ----
cat >steps <<'END'
#!/bin/sh
show='echo "$SLURM_STEP_ID.$SLURM_PROCID CUDA=$CUDA_VISIBLE_DEVICES ORDINAL=$GPU_DEVICE_ORDINAL JOB=$SLURM_JOB_GPUS STEP=$SLURM_STEP_GPUS NODE=$SLURM_GPUS_ON_NODE"'
one() { srun -c1 --exact "$@" sh -c "$show" 2>&1; echo "rc $?"; }
one -n1
one -n1 --gres=none
one -n1 --gres=gpu:2
one -n1 --gres=gpu:a100:1,craynic:1
one -n2 --gpus-per-task=1 | sort
one -n1 --gpus=3
one -n1 --overlap --gres=gpu:1
one -n1 --gres=gpu:4
one -n1 --gres=gpu:v100:1
srun -n1 -c1 --exact --gres=gpu:2 sh -c "touch taken.$1; until [ -e over.$1 ]; do sleep 0.02; done" &
until [ -e taken.$1 ]; do sleep 0.02; done
srun -I -n1 -c1 --exact --gres=gpu:2 true; echo "rc $?"
one -n1 --gres=gpu:1
srun -n1 -c1 --exact --gres=gpu:2 sh -c "$show" 2>waits.$1 &
until grep -qs disabled waits.$1; do sleep 0.02; done
touch asked.$1
wait
END
for way in all one; do
        option=$([ $way = one ] && echo --stepmgr)
        # shellcheck disable=SC2086
        id=$(sbatch --parsable -n4 -o "out.$way" --gres=gpu:3,craynic:1 $option steps $way)
        wait_for 40 test -e "asked.$way"
        if [ $way = one ]; then
                made_here
                tap_ok $? 'its node makes the steps of a job with GPUs'
                agent_kill9 n1 && agent_start n1
                wait_nodes 20 n1 'mixed|allocated'
        fi
        touch "over.$way"
        wait_job 30 "$id" COMPLETED
        tap_ok $? "the job ends ($way)" || sed 's/^/# /' "out.$way"
        wait_for 10 have_steps "$id" 10
        sacct -n -P -j "$id" -o jobid,state,exitcode,alloctres,reqtres | sed "s/^$id//" | grep '^[.][0-9]' >"rows.$way"
        sed -i "s/for job $id/for its job/; /goes on, waiting to attach to it again/d" "out.$way" # slumberd was killed
done
tap_is "$(cat out.one)" "$(cat out.all)" 'each step has what the controller would give it'
tap_is "$(cat rows.one)" "$(cat rows.all)" '... and sacct tells the same of it'
tap_like "$(cat out.one)" 'CUDA=0,1,2 ' 'a step that asks for none has all of its job'
tap_is "$(sed -n 's/^[0-9]*.0 CUDA=//p' out.one | tail -n 1 | cut -d' ' -f1)" 0,1 'one that has waited has those that came free, after a kill -9'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
