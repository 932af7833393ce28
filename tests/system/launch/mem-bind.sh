#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --mem-bind: the memory of tasks is of the NUMA nodes that were asked for, tasks are told of it, and what cannot be had is refused.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ -e /proc/self/numa_maps ] || tap_skip_all 'this kernel has no NUMA nodes'
first=$(sed -n 's/^Mems_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)

at_exit cluster_end
cluster_conf n1 TaskPlugin=task/affinity
cd "$DIR" || exit 1
cluster_up 'a node' n1

# policy SRUN-OPTION...: the kernel's policy for each task's memory, and what srun says
policy() {
        run srun "$@" awk 'NR == 1 { print $2 }' /proc/self/numa_maps
        echo "$rc|$(sort -u <<<"$out" | paste -sd' ')|$err"
}
tap_is "$(policy -n2)" '0|default|' 'without --mem-bind memory is not bound'
tap_is "$(policy -n2 --mem-bind=none)" '0|default|' 'none: nor here'
tap_is "$(policy -n2 --mem-bind="map_mem:$first")" "0|bind:$first|" 'map_mem'
tap_is "$(policy -n2 --mem-bind="map_mem:0x$(printf %x "$first")*2")" "0|bind:$first|" '... in hexadecimal, for two tasks'
mask=$(printf '0x%X' $((1 << first)))
tap_is "$(policy -n2 --mem_bind="quiet,mask_mem:$mask")" "0|bind:$first|" 'mask_mem'
tap_is "$(policy -n2 --mem-bind="prefer,mask_mem:$mask")" "0|prefer:$first|" 'prefer'
tap_like "$(policy -n2 --mem-bind=local)" '^0\|bind:[0-9,-]+\|$' 'local'
tap_is "$(policy -n1 --mem-bind=rank)" "0|bind:$first|" 'rank'
run srun -n1 --mem-bind=prefer true
tap_is "$rc|$err" '255|srun: error: --mem-bind=prefer wants local, rank, map_mem:<list> or mask_mem:<list> beside it' 'prefer alone'

# ---- what is said of it ----
told() { # HOW: what a task is told, and what it says
        run srun -n1 --mem-bind="$1" sh -c 'env | grep ^SLURM_MEM_BIND | sort'
        { sed 's/^SLURM_MEM_BIND//' <<<"$out"; sed -E 's/ \[[0-9]+\]/ [PID]/' <<<"$err"; } | grep . | paste -sd' '
}
all=$(printf 0x%X $((16#$(sed -n 's/^Mems_allowed:[[:space:]]*//p' /proc/self/status | tr -d ,))))
tap_is "$(told quiet)" '' 'as Slurm says it: quiet'
tap_is "$(told verbose)" "=verbose _LIST= _TYPE= _VERBOSE=verbose mem-bind=NULL - n1, task  0  0 [PID]: mask $all" '... verbose'
tap_is "$(told none,verbose)" "=verbose,none _LIST= _TYPE=none _VERBOSE=verbose mem-bind=NONE - n1, task  0  0 [PID]: mask $all" '... none'
tap_like "$(told v,local)" '^=verbose,local _LIST= _TYPE=local _VERBOSE=verbose mem-bind=LOC - n1, task  0  0 \[PID\]: mask 0x[0-9A-F]+ set$' '... local'
tap_is "$(told "p,sort,MASK_MEM=$mask*2")" \
        "=quiet,prefer,mask_mem:${mask#0x},${mask#0x} _LIST=${mask#0x},${mask#0x} _PREFER=prefer _SORT=sort _TYPE=mask_mem: _VERBOSE=quiet" '... lists'
tap_is "$(told "verbose,prefer,map_mem:$first")" \
        "=verbose,prefer,map_mem:$first _LIST=$first _PREFER=prefer _TYPE=map_mem: _VERBOSE=verbose mem-bind PREFER MAP - n1, task  0  0 [PID]: mask $mask set" '... prefer'
run srun --mem-bind=help
tap_like "$rc|$err|$out" '^0\|\|Memory bind options:$' 'help'

# ---- where it comes from ----
inner='echo ${SLURM_MEM_BIND-none}; awk "NR == 1 { print \$2 }" /proc/self/numa_maps; srun -n1 awk "NR == 1 { print \$2 }" /proc/self/numa_maps'
sbatch -Q -W -o out --mem-bind="map_mem:$first" --wrap "$inner"
tap_is "$(paste -sd' ' out)" "map_mem:$first default bind:$first" 'sbatch: for the steps of the job'
SBATCH_MEM_BIND=prefer,map_mem:$first sbatch -Q -W -o out --wrap "$inner"
tap_is "$(paste -sd' ' out)" "prefer,map_mem:$first default prefer:$first" 'SBATCH_MEM_BIND'
tap_is "$(SALLOC_MEM_BIND="map_mem:$first" salloc -Q sh -c "$inner" | paste -sd' ')" "map_mem:$first default bind:$first" 'SALLOC_MEM_BIND'
tap_is "$(SLURM_MEM_BIND="map_mem:$first" policy -n1)" "0|bind:$first|" 'SLURM_MEM_BIND'
tap_is "$(policy -n1 --mem-bind="map_mem:$first" sh -c 'srun -n1 --overlap "$@"' -)" "0|bind:$first|" 'an srun in a task goes by what the task is told'
SLURM_MEM_BIND=foo run srun true
tap_like "$rc|$err" '^255\|.*unrecognized --mem-bind argument "foo"' 'a word that is not known'

# ---- what cannot be had ----
for how in map_mem:1000 mask_mem:0 "mask_mem:1$(printf '%0300d' 0)"; do
        run srun -n1 --mem-bind="$how" touch ran
        tap_like "$rc|$err" '^[1-9].*--mem-bind=.*is not of the NUMA nodes of this machine: [0-9]' "${how:0:20}: the step is refused"
done
sed -i 's,^TaskPlugin=.*,TaskPlugin=task/none,' "$SLURM_CONF"
ctld_stop && ctld_start && wait_nodes 20 n1 idle
refused() { run srun -n1 --mem-bind=local touch ran; grep -q 'needs TaskPlugin=task/affinity' <<<"$err"; }
wait_for 20 refused
tap_ok $? 'without task/affinity it is refused by name' || echo "# $err"
tap_is "$(policy -n1 --mem-bind=none; [ -e ran ] || echo 'none ran')" '0|default|
none ran' '... but for none'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
