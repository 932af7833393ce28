#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# CoreSpecCount, CpuSpecList, MemSpecLimit: what jobs do not get, what scontrol and sinfo show of it, that slumberd keeps
# to these cores and this memory and its tasks do not; --core-spec and --thread-spec.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1 SelectTypeParameters=CR_Core_Memory TaskPlugin=task/affinity SlurmdParameters=config_overrides \
        'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 CoreSpecCount=1 MemSpecLimit=400' \
        'NodeName=n2 NodeAddr=127.0.0.1 State=DOWN CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000 CpuSpecList=0,1,8'
printf '%s\n' ConstrainCores=yes ConstrainRAMSpace=yes >"$DIR/cgroup.conf"
cluster_up 'the node is idle' n1
cd "$DIR" || exit 1
shown() { scontrol -o show node "$1" | grep -oE '(CPUEfctv|CPUTot|CoreSpecCount|CPUSpecList|MemSpecLimit|CfgTRES)=[^ ]*' | paste -sd' '; }
tap_is "$(shown n1)" 'CPUEfctv=1 CPUTot=2 CoreSpecCount=1 CPUSpecList=1 MemSpecLimit=400 CfgTRES=cpu=1,mem=1000M,billing=1' \
        'scontrol shows what is kept by CoreSpecCount and MemSpecLimit'
tap_is "$(shown n2)" 'CPUEfctv=12 CPUTot=16 CoreSpecCount=2 CPUSpecList=0-1,8-9 CfgTRES=cpu=12,mem=1000M,billing=12' \
        '... and by CpuSpecList, with all CPUs of the cores'
told() { # KIND ID KEY...: its values as JSON
        scontrol --json show "$1" "$2" | /usr/bin/python3 -c 'import json, sys
o = json.load(sys.stdin)[sys.argv[1] + "s"][0]
print(*(json.dumps(o.get(k, "-")) for k in sys.argv[2:]))' "$1" "${@:3}"
}
[ ! -x /usr/bin/python3 ] || tap_is "$(told node n1 effective_cpus specialized_cores specialized_cpus specialized_memory)" \
        '1 1 "1" 400' 'and as JSON'
tap_is "$(scontrol -o show partition | grep -oE '(TotalCPUs|TRES)=[^ ]*' | paste -sd' ')" 'TotalCPUs=18 TRES=cpu=13,mem=2000M,node=2,billing=13' \
        'a partition has all CPUs, of which jobs get some'
tap_is "$(sinfo -hn n1 -o '%C')" '0/2/0/2' 'sinfo counts it as idle, as Slurm does'
run sbatch -N1 -w n1 -n2 --wrap true
tap_like "$rc|$err" '^1\|.*Requested node configuration is not available' 'more CPUs than jobs can have are refused'
run sbatch -w n1 --mem=700 --wrap true
tap_like "$rc|$err" '^1\|.*Requested node configuration is not available' 'and more memory'
run sbatch -H -w n1 --mem=600 --parsable --wrap true
tap_is "$rc|$err" '0|' '... but not as much as they can have'
scancel "$out"
cpus() { awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$1/status"; }
if [ "$(nproc)" = 2 ]; then
        tap_is "$(cpus "$(cat run/n1.pid)")" 1 'slumberd keeps to the core that is kept'
        run srun -w n1 --mem=10 sh -c "grep Cpus_allowed_list /proc/self/status"
        tap_is "${out##*[[:space:]]}" 0 'a task has the other one'
        cat >>slurm.conf <<'END_OF_CONF'
TaskPluginParam=SlurmdOffSpec
END_OF_CONF
        scontrol reconfigure
        is_off() { [ "$(cpus "$(cat run/n1.pid)")" = 0 ]; }
        wait_for 20 is_off
        tap_ok $? 'with SlurmdOffSpec slumberd keeps off it'
else
        echo "# SKIP where slumberd and tasks run: the machine has $(nproc) CPUs, not 2"
fi
memory_of() { # PID: folder of its group of v1's memory, or of v2
        local v1
        v1=$(awk -F: '$2 ~ /(^|,)memory(,|$)/ { print $3 }' "/proc/$1/cgroup")
        if [ -n "$v1" ]; then
                echo "$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' /proc/mounts)$v1"
        else
                echo "$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)$(awk -F: '$1 == 0 { print $3 }' "/proc/$1/cgroup")"
        fi
}
limit_of() { # PID: in MB; none: nothing
        local n
        n=$(cat "$(memory_of "$1")"/memory.limit_in_bytes 2>/dev/null || cat "$(memory_of "$1")"/memory.high 2>/dev/null)
        [ "$n" = max ] || [ "${n:-0}" -gt $((1 << 40)) ] || echo "$((n >> 20))"
}
if grep -q 'no memory controller for slumberd' log/n1; then
        echo '# SKIP the memory of slumberd: the machine has no memory controller'
else
        tap_is "$(limit_of "$(cat run/n1.pid)")" 400 'slumberd has the memory of MemSpecLimit'
        declare -f memory_of limit_of >"$DIR/memory.sh"
        run srun -w n1 --mem=50 bash -c '. ./memory.sh; limit_of $$; limit_of $PPID'
        tap_is "$(xargs <<<"$out")" '50 400' 'so has the daemon of a step, and its task has its own'
        echo ConstrainCores=yes >"$DIR/cgroup.conf"
        scontrol reconfigure
        lifted() { [ -z "$(limit_of "$(cat run/n1.pid)")" ]; }
        wait_for 20 lifted
        tap_ok $? 'without ConstrainRAMSpace it has no limit, as in Slurm'
        run srun -w n1 --mem=50 bash -c '. ./memory.sh; memory_of $$'
        [ "$out" != "$(memory_of "$(cat run/n1.pid)")" ]
        tap_ok $? '... and a task is in a group that is not slumberd'"'"'s'
        printf '%s\n' ConstrainCores=yes ConstrainRAMSpace=yes >"$DIR/cgroup.conf"
        scontrol reconfigure
        limited() { [ "$(limit_of "$(cat run/n1.pid)")" = 400 ]; }
        wait_for 20 limited
        tap_ok $? 'with it, it has one again'
        old=$(memory_of "$(cat run/n1.pid)")
        agent_kill9 n1
        agent_start n1
        wait_for 20 limited
        tap_is "$? $(memory_of "$(cat run/n1.pid)")" "0 $old" 'the next slumberd is in the same group after kill -9'
        wait_nodes 20 n1 idle
        agent_stop n1
        left() { [ ! -e "$old" ]; }
        wait_for 20 left
        tap_ok $? 'the group is removed at its end'
        agent_start n1
        wait_nodes 20 n1 idle
fi
run sbatch -w n1 -S0 --wrap true
tap_like "$rc|$err" '^1\|.*AllowSpecResourcesUsage=No' '-S is refused where slurm.conf does not allow it'
run sbatch -S1 --thread-spec=1 --wrap true
tap_like "$rc|$err" '^1\|.*mutually exclusive' '-S and --thread-spec exclude each other'
echo AllowSpecResourcesUsage=yes >>slurm.conf
scontrol reconfigure
id=$(sbatch --parsable -w n1 -S0 --wrap 'srun -n2 true; sleep 300')
wait_job 20 "$id" RUNNING
tap_is "$(scontrol -o show job "$id" | grep -oE '(NumCPUs|CoreSpec|OverSubscribe)=[^ ]*' | paste -sd' ') $(squeue -h -j "$id" -o %X)" \
        'NumCPUs=2 CoreSpec=0 OverSubscribe=NO 0' 'allowed, -S0 gives a job all cores of the node, alone'
tap_is "$(scontrol -o show node n1 | grep -oE '(CPUAlloc|State)=[^ ]*' | paste -sd' ')" 'CPUAlloc=1 State=ALLOCATED' \
        'the node is allocated'
held=$(SBATCH_THREAD_SPEC=3 sbatch --parsable -H -w n2 --wrap true)
tap_is "$(scontrol -o show job "$held" | grep -oE '(ThreadSpec|CoreSpec)=[^ ]*') $(squeue -h -j "$held" -O CoreSpec | xargs)" \
        'ThreadSpec=3 3 Threads' 'SBATCH_THREAD_SPEC'
[ ! -x /usr/bin/python3 ] || tap_is "$(told job "$held" core_spec thread_spec)" 'null 3' '... as JSON'
scontrol update jobid="$held" corespec=2
tap_is "$(scontrol -o show job "$held" | grep -oE '(ThreadSpec|CoreSpec)=[^ ]*')" 'CoreSpec=2' 'scontrol update CoreSpec'
scancel "$id" "$held"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
