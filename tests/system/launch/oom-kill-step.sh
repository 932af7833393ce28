#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --oom-kill-step: where the kernel kills one process of a step for want of memory, all of it on that node end, by each kind of
# cgroup that this machine has; where nothing tells of such a kill, the step is refused by name.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root makes cgroups'
at_exit cluster_end
cluster_conf n1 SelectTypeParameters=CR_Core_Memory "NodeName=n1 NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1000"
echo ConstrainRAMSpace=yes >"$DIR/cgroup.conf"
cd "$DIR" || exit 1
cat >hog.py <<'END_OF_JOB'
kept = []
for i in range(30):
    kept.append(bytearray(10 << 20))
END_OF_JOB
# The task that is killed has another beside it, which would go on; a script's child is killed, and it would go on.
echo '[ "$SLURM_PROCID" = 1 ] && exec python3 hog.py; until [ -e enough ]; do sleep 0.1; done; echo "goes on"' >two.sh
echo 'python3 hog.py; until [ -e enough ]; do sleep 0.1; done; echo "goes on $SLURM_OOM_KILL_STEP"' >script.sh
sed -i '1i #!/bin/sh' script.sh

one() { # COMMAND...: its step must end by itself
        run timeout 30 "$@"
}

story() { # KIND
        local id
        agent_start n1
        wait_nodes 30 n1 idle
        tap_ok $? "$1: the node is idle" || { agent_stop n1; return; }
        if grep -q 'no memory controller for slumberd' log/n1; then
                run srun -n1 --oom-kill-step true
                tap_like "$rc|$err" '^[1-9][0-9]*\|.*--oom-kill-step: node n1 has no memory cgroup' "$1: refused by name"
                agent_stop n1
                return
        fi
        rm -f enough
        one srun -n2 -O --mem=64 --oom-kill-step sh two.sh
        tap_like "$rc|$out|$(paste -sd' ' <<<"$err")" '^[1-9][0-9]*\|\|.*Out Of Memory' "$1: the other task of a step ends, too"
        SLURM_OOM_KILL_STEP=1 one srun -n2 -O --mem=64 sh two.sh
        tap_like "$rc|$out" '^[1-9][0-9]*\|$' "$1: so it does by SLURM_OOM_KILL_STEP"
        id=$(SBATCH_OOM_KILL_STEP=1 sbatch --parsable -n1 --mem=64 -o batch.out script.sh)
        wait_job 30 "$id" OUT_OF_MEMORY
        tap_is "$?|$(grep 'goes on' batch.out)" '0|' "$1: a batch script ends with its child"
        sed '2i #SBATCH --oom-kill-step=1' script.sh >lines.sh
        id=$(sbatch --parsable -n1 --mem=64 -o lines.out lines.sh)
        wait_job 30 "$id" OUT_OF_MEMORY
        tap_is "$?|$(grep 'goes on' lines.out)" '0|' "$1: ... as a line of the script says"
        id=$(sbatch --parsable -n1 --mem=64 --oom-kill-step -o env.out --wrap 'echo "$SLURM_OOM_KILL_STEP"')
        wait_job 30 "$id" COMPLETED
        tap_is "$?|$(cat env.out)" '0|1' "$1: its steps hear of it"
        touch enough
        id=$(SBATCH_OOM_KILL_STEP=1 sbatch --parsable -n1 --mem=64 --oom-kill-step=0 -o no.out script.sh)
        wait_job 30 "$id" OUT_OF_MEMORY
        tap_is "$?|$(grep 'goes on' no.out)" '0|goes on ' "$1: --oom-kill-step=0: the script goes on"
        agent_stop n1
}

ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
run sbatch --oom-kill-step=2 --wrap true
tap_like "$rc|$err" '^255\|sbatch: error: .*"2" is neither 0 nor 1' 'another value is refused'
story auto
kind=$(grep -ho 'Jobs are in cgroup/v.' log/n1 | tail -1)
if [ "$kind" != 'Jobs are in cgroup/v1' ] && grep -q ' cgroup .*freezer' /proc/mounts; then
        echo 'cgroup: v1' >>slumber.yaml
        story v1
fi
sed -i '/^cgroup:/d' slumber.yaml
echo 'cgroup: none' >>slumber.yaml
story none
tap_done
