#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --cpu-freq: the step daemon sets frequency and governor of the step's CPUs, and they are put back whatever is killed.  The kernel's
# files are invented ones, mounted where slumberd sees them.
[ "${PRIVATE_MOUNTS:-}" ] || [ "$(id -u)" != 0 ] || exec unshare -m env PRIVATE_MOUNTS=1 bash "$0" "$@"
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root sets frequencies'
[ "$(nproc)" -ge 2 ] || tap_skip_all 'two CPUs are needed'

at_exit cluster_end
cluster_conf n1 SelectTypeParameters=CR_Core TaskPlugin=task/affinity "NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 Sockets=1 CoresPerSocket=2 RealMemory=1000"
cd "$DIR" || exit 1
real=/sys/devices/system/cpu
first=$(taskset -cp $$ | sed -E 's/.*: ([0-9]+).*/\1/') # slumberd's first core
second=$(taskset -cp $$ | sed -E 's/.*: [0-9]+[-,]([0-9]+).*/\1/')
mkdir cpu
cp -r $real/. cpu 2>/dev/null # what hwloc reads; some files cannot be read
rm -rf cpu/cpu*/cpufreq cpu/cpufreq
mkdir cpu/cpufreq
put() { printf '%s\n' "$2" >"cpu/cpufreq/policy$policy/$1"; }
for policy in "$first" "$second"; do
        mkdir "cpu/cpufreq/policy$policy" && ln -s "../cpufreq/policy$policy" "cpu/cpu$policy/cpufreq"
        put affected_cpus "$policy"
        put scaling_available_governors 'ondemand performance userspace'
        put scaling_available_frequencies '3000000 2500000 2000000 1500000 1000000'
        put scaling_governor ondemand
        put scaling_min_freq 1000000
        put scaling_max_freq 3000000
        put scaling_setspeed '<unsupported>'
done
mount --bind cpu $real || tap_skip_all 'nothing can be mounted here'
cat >look <<END
#!/bin/sh
# How each CPU is set: governor, least, most
for i in $first $second; do
        cd $real/cpufreq/policy\$i && for f in governor min_freq max_freq; do cat scaling_\$f; echo; done | grep . | paste -sd' '
done | paste -sd,
END
chmod 755 look
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node of two cores' || { cluster_logs; tap_done; }
usual='ondemand 1000000 3000000'
is_set() { [ "$(./look)" = "$1" ]; }

# ---- what is set ----
run srun -n2 --cpu-freq=1500000-high:OnDemand ./look
tap_is "$rc|$(sort -u <<<"$out")|$err" '0|ondemand 1500000 3000000,ondemand 1500000 3000000|' 'a range for both CPUs'
tap_is "$(./look)" "$usual,$usual" '... which are as before when the step has ended'
run srun -n2 --cpu-freq=medium ./look
tap_is "$rc|$(sort -u <<<"$out")|$err" '0|userspace 2000000 2000000,userspace 2000000 2000000|' 'one frequency'
run srun -n1 --cpu-freq=performance ./look
tap_is "$rc|$out|$err" "0|performance 1000000 3000000,$usual|" 'a governor for the one CPU of a step of one task'
run srun -n1 --cpu-freq=low sh -c 'echo "$SLURM_CPU_FREQ_REQ"'
tap_is "$out" Low 'the task is told'
run env SLURM_CPU_FREQ_REQ=low-1500000 srun -n1 ./look
tap_is "$out" "ondemand 1000000 1500000,$usual" 'SLURM_CPU_FREQ_REQ'
id=$(sbatch --parsable -n1 --cpu-freq=high -o script --wrap './look; srun ./look; echo "$SLURM_CPU_FREQ_REQ"')
wait_job 20 "$id" COMPLETED
tap_is "$(paste -sd' ' script)" "$usual,$usual userspace 3000000 3000000,$usual High" 'sbatch: its steps, not the script'
tap_is "$(./look)" "$usual,$usual" 'all is as before'

# ---- what is refused, and what cannot be had ----
run srun -n1 --cpu-freq=conservative true
tap_like "$rc|$err" '^[1-9][0-9]*\|.*governor of Conservative is not allowed in slurm.conf' 'a governor that CpuFreqGovernors does not have'
run sbatch --cpu-freq=conservative --wrap true
tap_like "$rc|$err" '^[1-9][0-9]*\|.*governor of Conservative is not allowed in slurm.conf' '... of a job'
run srun -n1 --cpu-freq=high-low true
tap_like "$rc|$err" '^[1-9][0-9]*\|.*min cpu-freq \(high\) must be < max cpu-freq \(low\)' 'a range that is none'
for policy in "$first" "$second"; do put scaling_available_governors 'ondemand userspace'; done
run srun -n1 --cpu-freq=performance ./look
tap_like "$rc|$out|$err" "^0\|$usual,$usual\|slurmstepd: error: n1: --cpu-freq: CPU $first has no governor Performance; it has ondemand userspace" \
        'a governor that the CPU does not have: it is said, and the step runs'

# ---- steps beside each other ----
hold='./look >$SLURM_STEP_ID.look; until [ -e go.$SLURM_STEP_ID ]; do sleep 0.05; done'
id=$(sbatch --parsable -n2 -o /dev/null --wrap "srun -n1 --exact --cpu-freq=low sh -c '$hold' & srun -n1 --exact --cpu-freq=high sh -c '$hold' & wait")
wait_for 20 test -s 0.look -a -s 1.look
low='userspace 1000000 1000000' high='userspace 3000000 3000000'
now=$(./look)
tap_like "$now" "^($low,$high|$high,$low)$" 'each of two steps has its own CPU'
step=0; [ "$(squeue -h -s -j "$id" -O StepID:.20,CPUFreq:.20 | awk '$1 ~ /\.0$/ { print $2 }')" = low ] || step=1
tap_like "$(scontrol show step "$id.$step")" 'CPU_max_freq=Low  Dist=' 'scontrol show step, squeue -s'
touch "go.$step"
wait_for 10 is_set "${now/$low/$usual}"
tap_ok $? 'the end of one leaves the other as it is' || ./look
touch go.0 go.1
wait_job 20 "$id" COMPLETED
tap_is "$(./look)" "$usual,$usual" 'both have ended'
tap_is "$(sacct -nP -j "$id.$step" -o ReqCPUFreqMin,ReqCPUFreqMax,ReqCPUFreqGov)" '|Low|' 'the accounts have it'

# ---- whatever is killed ----
begin() { # starts a step of both CPUs that waits
        rm -f ran go
        srun -n2 --cpu-freq=high sh -c 'touch ran; until [ -e go ]; do sleep 0.05; done' >/dev/null 2>&1 &
        srun=$!
        wait_for 20 test -e ran && is_set "$high,$high"
}
begin
tap_ok $? 'a step has set both CPUs'
# shellcheck disable=SC2046
kill -9 $(stepd_pids n1)
wait_for 20 is_set "$usual,$usual"
tap_ok $? 'its step daemon is killed: slumberd puts them back' || ./look
wait "$srun"
begin
agent_kill9 n1
touch go
wait_for 20 is_set "$usual,$usual"
tap_ok $? 'slumberd is killed: the step daemon puts them back' || ./look
agent_start n1; wait_nodes 20 n1 idle; wait "$srun"
begin
agent_kill9 n1
# shellcheck disable=SC2046
kill -9 $(stepd_pids n1)
tap_is "$(./look)" "$high,$high" 'both are killed'
agent_start n1
wait_for 20 is_set "$usual,$usual"
tap_ok $? '... and the next slumberd puts them back' || ./look
wait "$srun"
wait_nodes 20 n1 idle

# ---- one of two steps is lost with slumberd ----
one_is_set() { [[ $(./look) == "$usual,$high" || $(./look) == "$high,$usual" ]]; }
for lost in 0 1; do
        rm -f go.* ./*.daemon
        for k in 0 1; do # of a job each
                srun -n1 --cpu-freq=high sh -c "echo \$PPID >$k.daemon; until [ -e go.$k ]; do sleep 0.05; done" >/dev/null 2>&1 &
                wait_for 20 test -s $k.daemon
        done
        wait_for 20 is_set "$high,$high"
        agent_kill9 n1
        kill -9 "$(cat $lost.daemon)"
        agent_start n1
        wait_nodes 20 n1 'mixed|allocated'
        wait_for 5 one_is_set
        tap_ok $? "step $lost is lost while slumberd is away: the other one keeps its frequency" || ./look >&2
        touch go.0 go.1
        wait_for 20 no_jobs
        wait_for 20 is_set "$usual,$usual"
done

# ---- defaults, nodes without ----
printf '%s\n' CpuFreqDef=OnDemand LaunchParameters=batch_step_set_cpu_freq >>slurm.conf
for policy in "$first" "$second"; do put scaling_governor userspace; done
scontrol reconfigure
run srun -n1 ./look
tap_like "$out" '^ondemand 1000000 3000000,userspace ' 'CpuFreqDef'
id=$(sbatch --parsable -n1 --cpu-freq=low -o script --wrap './look')
wait_job 20 "$id" COMPLETED
tap_like "$(cat script)" "^$low,userspace " 'batch_step_set_cpu_freq'
rm cpu/cpu*/cpufreq
run srun -n1 --cpu-freq=low echo runs
tap_is "$rc|$out|$err" '0|runs|slurmstepd: error: n1: --cpu-freq: CPU frequency setting not configured for this node' \
        'a node without frequencies: it is said, and the step runs'
run srun -n1 echo runs
tap_is "$rc|$out|$err" '0|runs|' '... and not by CpuFreqDef'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
