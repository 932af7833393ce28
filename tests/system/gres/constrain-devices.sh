#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ConstrainDevices: a step opens the devices that it has, and no others of its node, with each kind of control group that there is.
# /dev/full and /dev/zero stand for two GPUs.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root makes device files'
mkdir -p "$DIR/dev" && mknod "$DIR/dev/nvidia0" c 1 7 && mknod "$DIR/dev/nvidia1" c 1 5 && head -c1 "$DIR/dev/nvidia1" >/dev/null 2>&1 ||
        tap_skip_all 'device files cannot be made or opened here'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1' 'GresTypes=gpu,shard' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:2,shard:4'
echo "Name=gpu File=$DIR/dev/nvidia[0-1]" >gres.conf
echo 'ConstrainDevices=yes' >cgroup.conf
opens() { echo "for i in 0 1; do if true <$DIR/dev/nvidia\$i; then echo -n \"\$i yes \"; else echo -n \"\$i no \"; fi; done 2>/dev/null"; }
nones=(--gpus=0 --gres=gpu:0 --gpus-per-node=0 --gpus-per-task=0 --tres-per-task=gres/gpu:0 --tres-per-task=gres/gpu=0 --gres=none)
story() { # NAME
        agent_start n1 && wait_nodes 20 n1 idle
        tap_ok $? "$1: a node" || { cluster_logs; tap_done; }
        if grep -q 'no device controller for slumberd' log/n1; then
                run srun -n1 --gres=gpu:1 true
                tap_like "$rc|$err" 'has no device controller' "$1: what cannot be done is refused"
                agent_stop n1
                return
        fi
        tap_is "$(srun -n1 --gres=gpu:1 sh -c "$(opens)")" '0 yes 1 no ' "$1: a step has its GPU alone"
        tap_is "$(srun -n1 --gres=gpu:2 sh -c "$(opens)")" '0 yes 1 yes ' "$1: ... or both"
        tap_is "$(srun -n1 sh -c "$(opens)")" '0 no 1 no ' "$1: ... or none"
        tap_is "$(srun -n1 --gres=shard:2 sh -c "$(opens)")" '0 yes 1 no ' "$1: ... or that of its shards"
        j=$(sbatch --parsable --gres=gpu:1 -o "$1.out" --wrap "$(opens); srun -n1 --gres=none sh -c '$(opens)'; true </dev/null && true </dev/urandom && echo others")
        wait_job 20 "$j" COMPLETED
        tap_is "$?|$(cat "$1.out")" '0|0 yes 1 no 0 no 1 no others' "$1: a script, and a step of it without; other devices are there"
        cat >script <<END
#!/bin/bash
for none in "\$@"; do
        srun -n1 \$none sh -c '$(opens); echo "\${CUDA_VISIBLE_DEVICES-unset} \${SLURM_GPUS_ON_NODE-unset}"'
done
END
        sbatch -Q -W --gpus=1 -o "$1.out" script "${nones[@]}"
        tap_is "$?|$(sort "$1.out" | uniq -c | sed 's/^ *//')" "0|${#nones[@]} 0 no 1 no unset unset" "$1: steps without GPUs, however they say so"
        sbatch -Q -W --gpus-per-node=2 -o "$1.out" script '--gpus=0 --gpus-per-node=1'
        tap_is "$?|$(cat "$1.out")" '0|0 yes 1 no 0 1' "$1: the last option counts"
        agent_stop n1
}

ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
story auto
if ! grep -q 'Jobs are in cgroup/v1' log/n1 && grep -q ' cgroup .*devices' /proc/mounts && grep -q ' cgroup .*freezer' /proc/mounts; then
        echo 'cgroup: v1' >>slumber.yaml
        story v1
        sed -i '/^cgroup:/d' slumber.yaml
fi
echo 'cgroup: none' >>slumber.yaml
story none
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
