#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# TaskPlugin=task/affinity: scripts and steps keep to the cores of their job, tasks are bound as they match what it has, and are told.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
[ "$(nproc)" -ge 2 ] || tap_skip_all 'two CPUs are needed'

at_exit cluster_end
cluster_conf n1 SelectTypeParameters=CR_Core TaskPlugin=task/affinity "NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 Sockets=1 CoresPerSocket=2 RealMemory=1000"
cd "$DIR" || exit 1
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node of two cores' || { cluster_logs; tap_done; }

# Masks as numbers: of one core, of the other, of both.
run srun -n2 --cpu-bind=verbose sh -c 'echo "$SLURM_CPU_BIND $SLURM_CPU_BIND_TYPE $SLURM_CPU_BIND_LIST $SLURM_CPU_BIND_VERBOSE"'
told=$(head -1 <<<"$out")
one=$(sed -nE 's/^cpu-bind=MASK - n1, task  0  0 \[[0-9]+\]: mask (0x[0-9A-F]+) set$/\1/p' <<<"$err")
two=$(sed -nE 's/^cpu-bind=MASK - n1, task  1  1 \[[0-9]+\]: mask (0x[0-9A-F]+) set$/\1/p' <<<"$err")
tap_ok $((one && two && !(one & two) ? 0 : 1)) 'each of two tasks has a core of its own' || echo "$err"
both=$((one | two))
tap_like "$told" '^verbose,mask_cpu:(0x0*'"${one#0x}"',0x0*'"${two#0x}"') mask_cpu: \1 verbose$' 'and is told of both'
mask_of() { # OPTIONS...: of srun, what its one task may use, as a number
        run srun "$@" --cpu-bind=verbose true
        echo $(($(sed -nE '1s/.*: mask (0x[0-9A-F]+) set$/\1/p' <<<"$err")))
}
tap_is "$(mask_of -n1)" "$((one))" 'a task of one core has that'
tap_is "$(mask_of -n1 -c2)" "$both" '-c2: both'
run salloc -Q -n2 sh -c 'for o in --exclusive --exact "-c1 --overlap" --overlap; do srun -N1 -n1 $o sh -c "echo \$SLURM_CPUS_ON_NODE \$(nproc)"; done'
tap_is "$(paste -sd, <<<"$out")" '1 1,1 1,1 1,2 2' 'in a job of two cores a step has so many as it asks for, with --exclusive, --exact or -c'
run srun -n1 sh -c 'echo "$SLURM_CPU_BIND"'
tap_like "$rc|$out|$err" '^0\|quiet,mask_cpu:0x[0-9A-F]+\|$' 'nothing is printed of itself'
run srun -n2 --cpu-bind=verbose,none true
tap_is "$(grep -c "cpu-bind=NONE .*: mask $(printf '0x%X' "$both")$" <<<"$err")" 2 '--cpu-bind=none: all that the step has'
told() { # HOW: what each of two tasks is told of it
        run srun -n2 --cpu-bind="$1" sh -c 'echo "$SLURM_CPU_BIND,$SLURM_CPU_BIND_TYPE,$SLURM_CPU_BIND_LIST,$SLURM_CPU_BIND_VERBOSE"'
        sort -u <<<"$out" | paste -sd' '
}
tap_is "$(told none) $(told quiet,no) $(told none,verbose)" \
        'quiet,none,none,,quiet quiet,none,none,,quiet verbose,none,none,,verbose' '... and that is what tasks are told'
tap_is "$(told rank) $(told rank_ldom)" 'quiet,rank,rank,,quiet quiet,rank_ldom,rank_ldom,,quiet' '--cpu-bind=rank, rank_ldom'
tap_is "$(told map_ldom:0) $(told mask_ldom:0x1)" \
        'quiet,map_ldom:0,map_ldom:,0,quiet quiet,mask_ldom:1,mask_ldom:,1,quiet' 'lists of NUMA nodes'
for how in cores threads sockets ldoms "mask_cpu:$one,$two"; do told "$how"; done >words
tap_is "$(grep -cE '^quiet,mask_cpu:([0-9A-Fx]+,[0-9A-Fx]+),mask_cpu:,\1,quiet$' words)" 5 'the other words are told as masks, lists of masks as given'
run srun -n2 --cpu-bind=verbose,ldoms true
tap_is "$(grep -c "cpu-bind=MASK .*: mask $(printf '0x%X' "$both") set" <<<"$err")" 2 '--cpu-bind=ldoms'
run srun -n2 --cpu-bind=verbose,map_ldom:0 true
tap_is "$(grep -c "cpu-bind=LDMAP  - .*: mask $(printf '0x%X' "$both") set" <<<"$err")" 2 '--cpu-bind=map_ldom'
run srun -n1 --cpu-bind=map_ldom:63 true
tap_like "$rc|$err" '^[1-9].*CPU binding outside of job step allocation' 'a NUMA node without CPUs of the step is refused'
run srun -n2 --cpu-bind=verbose,sockets true
tap_is "$(grep -c "cpu-bind=MASK .*: mask $(printf '0x%X' "$both") set" <<<"$err")" 2 '--cpu-bind=sockets'
run srun -n1 --cpu-bind="mask_cpu:$two" true
tap_like "$rc|$err" '^[1-9].*CPU binding outside of job step allocation, allocated CPUs are: 0x[0-9A-F]+' 'a CPU of others is refused'

dealt() { # HOW OPTIONS...: the masks of the tasks, sorted
        run srun --cpu-bind=verbose,threads -m "$1" "${@:2}" true
        sed -nE 's/.*: mask (0x[0-9A-F]+) set$/\1/p' <<<"$err" | while read -r m; do echo $((m)); done | sort -n | paste -sd,
}
each=$(printf '%s\n' $((one)) $((two)) | sort -n | paste -sd,)
tap_is "$(dealt block:fcyclic -n2) $(dealt 'block:block:cyclic' -n2) $(dealt '*:*:fcyclic' -n2) $(dealt cyclic:cyclic:block -n1 -c2)" \
        "$each $each $each $both" '--distribution over sockets and cores: each task has its own CPU, one of two has both'
id=$(sbatch --parsable -n2 -m block:fcyclic:cyclic -o dist --wrap 'echo "$SLURM_DISTRIBUTION"; srun -n1 sh -c "echo \$SLURM_DISTRIBUTION"')
wait_job 20 "$id" COMPLETED
tap_is "$(paste -sd' ' dist)" 'block:fcyclic:cyclic block:fcyclic:cyclic' 'a job and its steps are told of all three parts'

# ---- two jobs, two steps ----
cpus='awk "/^Cpus_allowed:/ { print \"0x\" \$2 }" /proc/self/status | tr -d ,'
id=$(sbatch --parsable -n1 -o /dev/null --wrap "$cpus >script; until [ -e go ]; do sleep 0.05; done")
wait_for 20 test -s script
tap_is "$(($(cat script)))" "$((one))" 'a script keeps to the cores of its job'
tap_is "$(mask_of -n1)" "$((two))" 'another job has another core'
run srun -n1 sh -c 'scontrol show -d job $SLURM_JOB_ID | sed -nE "s,.* (CPU_IDs=[0-9-]+) .*,\1,p"'
tap_is "$out" 'CPU_IDs=1' 'as scontrol show -d job says'
touch go
wait_job 20 "$id" COMPLETED
rm -f go
sbatch -Q -n2 -o /dev/null --wrap "
srun -n1 --exact sh -c '$cpus >a; until [ -e go ]; do sleep 0.05; done' &
until [ -s a ] && [ -e next ]; do sleep 0.05; done
srun -n1 --exact sh -c '$cpus >b; until [ -e go ]; do sleep 0.05; done' &
wait"
wait_for 20 test -s a
ctld_kill9 && ctld_start && wait_nodes 20 n1 allocated
touch next
wait_for 30 test -s b
tap_is "$(($(cat a) | $(cat b))) $(($(cat a) & $(cat b)))" "$both 0" 'steps side by side have cores of their own, also behind a restart of slumberctld'
touch go
wait_for 20 no_jobs

# ---- TaskPluginParam ----
param() { sed -i '/^TaskPluginParam/d' "$SLURM_CONF"; echo "TaskPluginParam=$1" >>"$SLURM_CONF"; run scontrol reconfigure; }
param verbose,none
bound() { run srun -n2 true; grep -q "mask $(printf '0x%X' "$1")$" <<<"$err"; }
wait_for 20 bound "$both"
tap_ok $? 'TaskPluginParam=verbose,none' || echo "$err"
tap_is "$(scontrol show config | sed -n 's/^TaskPluginParam *= //p')" 'verbose,none' 'as scontrol show config says'
run srun -n2 --cpu-bind=quiet true
tap_is "$rc|$err" '0|' '--cpu-bind=quiet is quiet'
run srun -n2 --cpu-bind=verbose,cores true
tap_is "$(grep -c "mask $(printf '0x%X' "$both") set" <<<"$err")" 0 '--cpu-bind goes before it'
param 'cores,sockets'
tap_like "$rc|$err" '^1\|.*TaskPluginParam: "cores" and "sockets" exclude each other' 'two ways are refused'
param 'OOMKillStep'
tap_like "$rc|$err" '^1\|.*TaskPluginParam=OOMKillStep is not implemented' 'what is not there is refused by name'
param autobind=hyperthreads
tap_like "$rc|$err" '^1\|.*TaskPluginParam: "autobind=hyperthreads" is none of autobind=none\|threads\|' 'and so is an unknown word'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
