#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cgroup_layout: slurm: programs that look for jobs where a real Slurm has their control groups find them there, by each kind
# of cgroup that this machine has; limits, freezing and the kernel's kills act there; jobs that began in the other layout are found.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root makes cgroups'
at_exit cluster_end
root=/slumber-layout-$PORT
mounts() { awk '$3 ~ /^cgroup/ { print $2 }' /proc/mounts; }
forget_roots() { local m; for m in $(mounts); do rmdir "$m$root" 2>/dev/null; done; }
at_exit forget_roots
cluster_conf n1 SelectTypeParameters=CR_Core_Memory "NodeName=n1 NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1000" \
        PrologFlags=Contain
printf '%s\n' ConstrainRAMSpace=yes ConstrainCores=yes >"$DIR/cgroup.conf"
cd "$DIR" || exit 1
layout() { # KIND LAYOUT
        sed -i '/^cgroup/d' slumber.yaml
        printf '%s\n' "cgroup: $1" "cgroup_root: $root" "cgroup_layout: $2" >>slumber.yaml
}
again() { # slumberd is killed, and another begins
        local n
        n=$(grep -c 'Node n1 registered' log/ctld)
        agent_kill9 n1
        agent_start n1
        wait_for 20 eval '[ "$(grep -c "Node n1 registered" log/ctld)" -gt '"$n" ]
}
# what an exporter of v2, and one of v1, finds of a job below the mount points; "" without one
v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
v1() { awk -v c="$1" '$3 == "cgroup" && $4 ~ "(^|,)" c "(,|$)" { print $2; exit }' /proc/mounts; }
below() { (cd "$1" 2>/dev/null && find . -type d | sort | xargs); }
cat >wait.sh <<'END_OF_JOB'
grep -h . /proc/self/cgroup >"groups.$SLURM_JOB_ID.${SLURM_STEP_ID-batch}.$SLURM_PROCID"
until [ -e "enough.$SLURM_JOB_ID" ]; do sleep 0.05; done
exit 7
END_OF_JOB
echo 'kept = bytearray(b"x") * (300 << 20)' >hog.py

where() { # FILE CONTROLLER: the group of a task; without one, of v2
        if [ -n "${2-}" ]; then sed -nE "s/^[0-9]+:([^:]*,)?$2(,[^:]*)?://p" "$1"; else sed -n 's/^0:://p' "$1"; fi
}
shown() { # KIND ID: the job has one task of a step beside its script
        local kind=$1 id=$2 c
        if [ "$kind" = v2 ]; then
                tap_is "$(below "$v2$root/slurmstepd.scope/job_$id")" \
                        ". ./step_0 ./step_0/user ./step_0/user/task_0 ./step_0/user/task_1 ./step_batch ./step_batch/user ./step_batch/user/task_0 ./step_extern" \
                        "$kind: the groups of a job"
                tap_is "$(where "groups.$id.0.1")" "$root/slurmstepd.scope/job_$id/step_0/user/task_1" "$kind: a task is in its own"
        else
                tap_is "$(where "groups.$id.0.1" freezer)" "$root/slurm/uid_0/job_$id/step_0" "$kind: a task is in its step's"
        fi
        for c in memory cpuset cpuacct; do
                [ -n "$(v1 $c)" ] || continue
                tap_is "$(where "groups.$id.0.1" $c)" "$root/slurm/uid_0/job_$id/step_0" "$kind: and there of v1's $c"
        done
        if [ -n "$(v1 memory)" ]; then
                tap_is "$(cat "$(v1 memory)$root/slurm/uid_0/job_$id/memory.limit_in_bytes")" $((64 << 20)) "$kind: the job's memory stands there"
                tap_is "$(cat "$(v1 cpuset)$root/slurm/uid_0/job_$id/cpuset.cpus")" "$(cat "$(v1 cpuset)$root/slurm/uid_0/job_$id/step_batch/cpuset.cpus")" \
                        "$kind: and its CPUs"
        fi
}
# shellcheck disable=SC2086 # a pattern
frozen() { # KIND GROUP, below the root
        case $1 in
        v2) grep -qx 'frozen 1' $v2$root/$2/cgroup.events ;;
        *) grep -qx FROZEN $(v1 freezer)$root/$2/freezer.state ;;
        esac
}
nothing() { ! find $(mounts) -path "*$root*" -name 'job_*' | grep .; }

story() { # KIND
        local kind=$1 id old slurm
        layout "$kind" slurm
        agent_start n1
        wait_nodes 30 n1 idle
        tap_ok $? "$kind: the node is idle" || { agent_stop n1; return; }
        slurm=slurmstepd.scope/job_
        [ "$kind" = v2 ] || slurm=slurm/uid_0/job_
        id=$(sbatch --parsable -n1 --mem=64 -o /dev/null --wrap 'srun -n2 -O sh wait.sh & sh wait.sh; wait; exit 7')
        wait_for 20 test -s "groups.$id.0.1" -a -s "groups.$id.batch.0"
        tap_ok $? "$kind: a job runs"
        shown "$kind" "$id"
        again
        tap_is "$?|$(job_state "$id")" '0|RUNNING' "$kind: a slumberd that was killed finds it again"
        scontrol suspend "$id"
        wait_job 20 "$id" SUSPENDED && wait_for 10 frozen "$kind" "$slurm$id"
        tap_ok $? "$kind: it freezes there"
        scontrol resume "$id"
        touch "enough.$id"
        wait_job 20 "$id" FAILED
        tap_like "$?|$(scontrol show job "$id" | grep -o 'ExitCode=[0-9:]*')" '^0\|ExitCode=7:0$' "$kind: and tells of its end"
        wait_for 5 nothing
        tap_ok $? "$kind: nothing of it is left" || nothing
        if ! grep -q 'no memory controller for slumberd' log/n1; then
                id=$(sbatch --parsable -n1 --mem=64 -o /dev/null --wrap 'python3 hog.py; true')
                wait_job 30 "$id" OUT_OF_MEMORY
                tap_ok $? "$kind: a job that takes more than its memory is OUT_OF_MEMORY"
                run srun -n1 --mem=64 python3 hog.py
                tap_like "$err" '^srun: error: n1: task 0: Out Of Memory$' "$kind: and srun says which task"
        fi
        # it began before the setting; another is in the new layout beside it
        agent_stop n1
        layout "$kind" slumber
        agent_start n1
        wait_nodes 30 n1 idle
        old=$(sbatch --parsable -n1 --mem=64 -o /dev/null --wrap 'sh wait.sh & until [ -e more ]; do sleep 0.05; done; srun -O sh wait.sh; wait; exit 7')
        wait_for 20 test -s "groups.$old.batch.0"
        layout "$kind" slurm
        again
        tap_is "$?|$(job_state "$old")" '0|RUNNING' "$kind: with the setting a job that began without it is found"
        touch more
        wait_for 20 test -s "groups.$old.0.0"
        tap_like "$(grep -h "$root" "groups.$old.0.0" | head -n1)" "/slumber-n1-[0-9a-f]*/job$old-0/0$" "$kind: its steps are in its own group"
        scontrol suspend "$old"
        wait_job 20 "$old" SUSPENDED && wait_for 10 frozen "$kind" "slumber-n1-*/job$old-0"
        scontrol resume "$old"
        touch "enough.$old"
        wait_job 20 "$old" FAILED
        tap_like "$?|$(scontrol show job "$old" | grep -o 'ExitCode=[0-9:]*')" '^0\|ExitCode=7:0$' "$kind: and it ends as it would"
        tap_is "$(srun -n1 --mem=64 sh -c 'grep -c "/job_$SLURM_JOB_ID/step_0" /proc/self/cgroup | grep -v "^0$" >/dev/null && echo new')" new \
                "$kind: the next one is in the new layout"
        agent_stop n1
        rm -f more
}

ctld_start
for kind in v2 v1; do
        [ "$kind" != v1 ] || [ -n "$(v1 freezer)" ] || continue
        [ "$kind" != v2 ] || [ -n "$v2" ] || continue
        story $kind
done
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
