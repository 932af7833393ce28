#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kernel enforces: memory and cores of a job (ConstrainRAMSpace, ConstrainCores), by each kind of cgroup that
# this machine has, and what the user is told of a job that took too much.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root makes cgroups'

at_exit cluster_end
cluster_conf n1 SelectTypeParameters=CR_Core_Memory "NodeName=n1 NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1000"
cgroup_conf() { # KEY=VALUE...: of cgroup.conf
        printf '%s\n' "$@" >"$DIR/cgroup.conf"
        [ ! -e "$DIR/run/ctld.pid" ] || scontrol reconfigure
}
cgroup_conf ConstrainRAMSpace=yes ConstrainCores=yes
cd "$DIR" || exit 1
cat >hog.py <<'END_OF_JOB'
kept = []
for i in range(30):
    kept.append(bytearray(10 << 20))
print("survived")
END_OF_JOB

cat >hold.py <<'END_OF_JOB'
import sys, time
kept = bytearray(b'x') * (40 << 20)
open(sys.argv[1], 'w').close()
time.sleep(600)
END_OF_JOB

story() { # KIND
        local id
        agent_start n1
        wait_nodes 30 n1 idle
        tap_ok $? "$1: the node is idle" || { agent_stop n1; return; }
        if grep -q 'no memory controller for slumberd' log/n1; then
                tap_ok 0 "$1: # SKIP no memory controller"
        else
                id=$(sbatch --parsable -n1 --mem=64 -o oom.out --wrap 'python3 hog.py; echo "rc $?"')
                wait_job 30 "$id" OUT_OF_MEMORY
                tap_ok $? "$1: a job that takes more than its memory is OUT_OF_MEMORY"
                tap_is "$(scontrol show job "$id" | grep -oE '(JobState|Reason|ExitCode)=[^ ]*' | paste -sd' ')" \
                        'JobState=OUT_OF_MEMORY Reason=OutOfMemory ExitCode=0:125' "$1: scontrol says so"
                tap_like "$(cat oom.out)" '^rc 137$' "$1: only its greedy process was killed, the script went on"
                run srun -n1 --mem=64 python3 hog.py
                tap_like "$err" '^srun: error: n1: task 0: Out Of Memory$' "$1: srun says which task"
                [ $rc != 0 ] && [ "$out" = '' ]
                tap_ok $? "$1: and fails"
                # steps that overlap may each have what the job has, and not all of them
                rm -f held.*
                id=$(sbatch --parsable -n1 --mem=64 -o /dev/null --wrap 'for i in 1 2; do (srun --overlap --mem=64 python3 hold.py held.$i; echo $? >end.$i) & done; wait')
                wait_for 30 eval 'cat end.* 2>/dev/null | grep -q .'
                tap_like "$(cat end.* 2>/dev/null | head -1)" '^[1-9]' "$1: all steps of a job together have no more than the job"
                scancel "$id"; wait_job 30 "$id" 'CANCELLED|OUT_OF_MEMORY|COMPLETED|FAILED'
                rm -f end.*
                run srun -n1 --mem=500 python3 hog.py
                tap_is "$rc $out" '0 survived' "$1: with enough memory it survives"
        fi
        if grep -q 'no cpuset controller for slumberd' log/n1; then
                tap_ok 0 "$1: # SKIP no cpuset controller"
        else
                run srun -n1 --mem=64 nproc
                tap_is "$out" 1 "$1: a task of one core has one"
                if [ "$(nproc)" -ge 2 ]; then
                        sbatch -Q -W -n2 --mem=64 -o exact.out --wrap 'nproc; srun -n1 --exact nproc'
                        tap_is "$(xargs <exact.out)" '2 1' "$1: a step with --exact has its own of its job's cores"
                fi
        fi
        ram_story "$1"
        swap_story "$1"
        agent_stop n1
}

cat >ram.sh <<'END_OF_JOB'
v1=$(awk -F: '$2 ~ /(^|,)memory(,|$)/ { print $3 }' /proc/self/cgroup)
if [ -n "$v1" ]; then
        cd "$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' /proc/mounts)/$v1" || exit
        memory=$(cat memory.limit_in_bytes) soft=$(cat memory.soft_limit_in_bytes)
else
        cd "$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/$(awk -F: '$1 == 0 { print $3 }' /proc/self/cgroup)" || exit
        memory=$(cat memory.max) soft=$(cat memory.high)
fi
[ "$soft" != max ] && [ "$soft" -lt $((1 << 40)) ] || soft=0
echo "$((memory >> 20)) $((soft >> 20))"
END_OF_JOB
limit_is() { # MEM WANTED NAME
        run srun -n1 --mem="$1" sh ram.sh
        tap_is "$rc $out" "0 $2" "$3"
}
ram_story() { # KIND
        ! grep -q 'no memory controller for slumberd' log/n1 || { tap_ok 0 "$1: # SKIP no memory controller"; return; }
        limit_is 64 '64 0' "$1: without more in cgroup.conf a step has its memory"
        limit_is 10 '30 0' "$1: and 30 MB if that is less, the default of MinRAMSpace"
        cgroup_conf ConstrainRAMSpace=yes AllowedRAMSpace=50 MinRAMSpace=20
        limit_is 64 '32 0' "$1: AllowedRAMSpace=50 is half of it"
        limit_is 30 '20 0' "$1: but not less than MinRAMSpace"
        cgroup_conf ConstrainRAMSpace=yes AllowedRAMSpace=150
        limit_is 64 '96 64' "$1: AllowedRAMSpace=150 is more, and its own is the soft limit"
        cgroup_conf ConstrainRAMSpace=yes MaxRAMPercent=12.5
        limit_is 600 '125 0' "$1: MaxRAMPercent is of the memory of the node"
}

cat >swap.sh <<'END_OF_JOB'
v1=$(awk -F: '$2 ~ /(^|,)memory(,|$)/ { print $3 }' /proc/self/cgroup)
if [ -n "$v1" ]; then
        cd "$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' /proc/mounts)/$v1" || exit
        memory=$(cat memory.limit_in_bytes)
        swap=$(($(cat memory.memsw.limit_in_bytes) - memory))
else
        cd "$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/$(awk -F: '$1 == 0 { print $3 }' /proc/self/cgroup)" || exit
        memory=$(cat memory.max) swap=$(cat memory.swap.max)
fi
echo "$((memory >> 20)) $((swap >> 20))"
END_OF_JOB
swap_story() { # KIND
        cgroup_conf ConstrainRAMSpace=yes ConstrainSwapSpace=yes AllowedSwapSpace=50
        run srun -n1 --mem=64 sh swap.sh
        if grep -q 'no swap accounting for slumberd' log/n1; then
                tap_like "$rc $err" '^1 .*ConstrainSwapSpace: n1 has no swap accounting for slumberd' "$1: without swap accounting it is refused by name"
        else
                tap_is "$rc $out" '0 64 32' "$1: AllowedSwapSpace=50 is half of its memory"
                cgroup_conf ConstrainRAMSpace=yes ConstrainSwapSpace=yes
                run srun -n1 --mem=64 sh swap.sh
                tap_is "$rc $out" '0 64 0' "$1: without it, no swap"
                cgroup_conf ConstrainSwapSpace=yes AllowedSwapSpace=50
                run srun -n1 --mem=64 sh swap.sh
                tap_is "$rc $out" '0 96 0' "$1: without ConstrainRAMSpace both together have that limit"
                cgroup_conf ConstrainRAMSpace=yes ConstrainSwapSpace=yes AllowedSwapSpace=100 MaxSwapPercent=70
                run srun -n1 --mem=600 sh swap.sh
                tap_is "$rc $out" '0 600 100' "$1: MaxSwapPercent limits memory and swap together"
        fi
        cgroup_conf ConstrainRAMSpace=yes ConstrainCores=yes
}

ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
story auto
kind=$(grep -ho 'Jobs are in cgroup/v.' log/n1 | tail -1)
if [ "$kind" != 'Jobs are in cgroup/v1' ] && grep -q ' cgroup .*freezer' /proc/mounts; then
        echo 'cgroup: v1' >>slumber.yaml
        story v1
        tap_like "$(grep -ho 'Jobs are in cgroup/v.' log/n1 | tail -1)" v1 'v1: it was by v1'
fi
sed -i '/^cgroup:/d' slumber.yaml
echo 'cgroup: none' >>slumber.yaml
cgroup_conf ConstrainSwapSpace=yes
agent_start n1 && wait_nodes 30 n1 idle
run srun -n1 true
tap_like "$rc $err" '^[1-9].*ConstrainSwapSpace: n1 has no swap accounting for slumberd' 'a node without cgroups refuses by name'
agent_stop n1
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
