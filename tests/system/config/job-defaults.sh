#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What slurm.conf says where a request does not: JobFileAppend, WaitTime, OverTimeLimit, SchedulerParameters=default_gbytes.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
conf() { # LINE...: besides, instead of those of the same key
        cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=8000 TmpDisk=9000' SelectTypeParameters=CR_CPU_Memory "$@"
}
conf JobFileAppend=1 WaitTime=1 OverTimeLimit=3 SchedulerParameters=default_gbytes \
        'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverTimeLimit=UNLIMITED'
cd "$DIR" || exit 1
cluster_up 'one node' n1

run scontrol show config
tap_is "$(grep -oE '^(JobFileAppend|WaitTime|OverTimeLimit) .*' <<<"$out" | tr -s ' ' | paste -sd'|')" \
        'JobFileAppend = 1|OverTimeLimit = 3 min|WaitTime = 1 sec' 'scontrol show config has them'
tap_like "$(scontrol show partition main)" 'OverTimeLimit=UNLIMITED' 'and the partition has its own'
scontrol update PartitionName=main OverTimeLimit=7
tap_like "$(scontrol show partition main)" 'OverTimeLimit=7 ' 'which an administrator may change'
scontrol update PartitionName=main OverTimeLimit=NONE
tap_is "$?|$(scontrol show partition main | grep -o 'OverTimeLimit=[^ ]*')" '0|OverTimeLimit=NONE' '... and take back'
scontrol update PartitionName=main OverTimeLimit=7
run scontrol update PartitionName=main OverTimeLimit=soon
tap_like "$rc $err" '^1 .*OverTimeLimit=soon: minutes, UNLIMITED or NONE was expected' 'to what is one'

# ---- output files ----
files() { # VERB: each of these files has been written once, and is written again
        local f
        for f in batch client shared task.0; do echo before >"$f"; done
        sbatch -Q -W -o batch "$@" --wrap 'echo again' >/dev/null
        srun -Q -n1 -o client "$@" echo again
        srun -Q -n1 -o shared -e shared "$@" sh -c 'echo again; echo wrong >&2; sleep 0.1' 2>/dev/null
        srun -Q -n1 -o task.%t "$@" echo again
        for f in batch client task.0; do paste -sd, "$f"; done | paste -sd' '
        grep -c before shared
}
tap_is "$(files)" $'before,again before,again before,again\n1' 'JobFileAppend=1 appends, whichever program opens the file'
tap_is "$(files --open-mode=truncate)" $'again again again\n0' '--open-mode=truncate empties it'
conf JobFileAppend=0 SchedulerParameters=default_gbytes WaitTime=1
scontrol reconfigure
tap_is "$(files)" $'again again again\n0' 'JobFileAppend=0 empties it'
tap_is "$(files --open-mode=append)" $'before,again before,again before,again\n1' '--open-mode=append appends'

# ---- the end of the first task ----
run srun -n2 sh -c '[ $SLURM_PROCID = 0 ] || exec sleep 300'
tap_like "$err" 'First task exited 1s ago' 'WaitTime ends a step that long after its first task'
tap_is "$(srun --wait=0 -n2 sh -c '[ $SLURM_PROCID = 0 ] || { sleep 2; echo through; }')" through '--wait=0: never'

# ---- gigabytes ----
job=$(sbatch --parsable -H --mem=2 --tmp=3 --wrap true)
tap_like "$(scontrol show job "$job")" 'MinMemoryNode=2G MinTmpDiskNode=3072' 'default_gbytes: sizes without a unit are gigabytes'
job=$(sbatch --parsable -H --mem-per-cpu=500M --tmp=4096K --wrap true)
tap_like "$(scontrol show job "$job")" 'MinMemoryCPU=500M MinTmpDiskNode=4' 'others are what they say'
cat >steps <<'END'
#!/bin/bash
#SBATCH --mem=2 -n2
srun -Q -n1 sh -c 'echo $SLURM_MEM_PER_NODE'
srun -Q -n1 --mem=1 echo one
srun -Q -n1 --mem=3 true 2>&1 | grep -o 'Memory required.*'
srun -Q -n1 --mem=3M echo small
END
sbatch -Q -W -o steps.out steps >/dev/null
tap_is "$(paste -sd'|' steps.out)" '2048|one|Memory required by task is not available|small' 'of steps too; the environment stays in MB'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
