#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that ask for more than their partition has or allows: they wait and are told why, srun and salloc too, until that changes; or, with
# EnforcePartLimits, they are refused.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
configure() {
        cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000' SelectTypeParameters=CR_Core_Memory DefMemPerCPU=10 \
                'PartitionName=all Nodes=n[1-2] Default=YES' 'PartitionName=small Nodes=n1 MaxNodes=1 MaxTime=60' \
                'PartitionName=mem Nodes=n[1-2] MaxMemPerNode=1000' 'PartitionName=two Nodes=n[1-2] MinNodes=2' \
                'PartitionName=down Nodes=n[1-2] State=DOWN' "$@"
}
configure
cluster_up 'two nodes of 8 CPUs' n1 n2
add() { sbatch -Q --parsable -o /dev/null "$@" --wrap 'exec sleep 1000'; }
why() { job_show "$1" '%T %r'; }
waits() { # REASON NAME ARG...
        local reason=$1 name=$2
        shift 2
        j=$(add "$@")
        tap_is "$(why "$j")" "PENDING $reason" "$name: $*"
}
refuses() { # TEXT ARG...
        local text=$1
        shift
        run sbatch -o /dev/null "$@" --wrap true
        tap_is "$rc|$err" "1|sbatch: error: Batch job submission failed: $text" "$*: $text"
}

waits PartitionConfig 'more CPUs than there are' -n17
first=$j
waits PartitionConfig '... of one node' -n9 -p small
small=$j
waits PartitionNodeLimit 'more nodes' -N3
waits PartitionTimeLimit 'a longer time' -p small -t 100
waits MaxMemPerLimit 'more memory' -p mem --mem=2000
mem=$j
refuses 'Requested node configuration is not available' -n17 -p all,small
refuses 'Requested node configuration is not available' -n17 -p down
run sbatch --test-only -n17 --wrap true
tap_is "$rc|$err" '1|allocation failure: Requested node configuration is not available' '--test-only: never'
tap_is "$(squeue --start -h -j "$first" -o '%S %r')" 'N/A PartitionConfig' 'squeue --start knows no start'
run srun -I -n17 true
tap_is "$rc|$err" '1|srun: error: Unable to allocate resources: Requested partition configuration not available now' 'srun -I'
wait_job 20 "$(add -n16)" RUNNING
tap_ok $? 'no job waits for them'
scancel -u "$(id -un)" -t R

# ---- interactive jobs ----
srun -n17 true >srun.out 2>&1 &
wait_for 20 grep -q 'queued and waiting' srun.out
tap_is "$(sed 's/[0-9]\+/N/' srun.out)" 'srun: Requested partition configuration not available now
srun: job N queued and waiting for resources' 'srun says why it waits'
scancel "$(squeue -h -n true -o %i)"
salloc -p mem --mem=2000 true >salloc.out 2>&1 &
wait_for 20 grep -q 'queued and waiting' salloc.out
tap_is "$(sed 's/[0-9]\+/N/' salloc.out)" 'salloc: Requested partition configuration not available now
salloc: Pending job allocation N
salloc: job N queued and waiting for resources' 'salloc, too'

# ---- the cause goes ----
ctld_kill9
ctld_start && wait_nodes 20 'n[1-2]' idle
tap_is "$(why "$first"),$(why "$mem")" 'PENDING PartitionConfig,PENDING MaxMemPerLimit' 'a controller that starts again knows it'
run scontrol update partitionname=mem maxmempernode=3000
wait_for 20 grep -q 'Granted job allocation' salloc.out && wait_job 20 "$mem" RUNNING
tap_is "$?|$rc" '0|0' 'MaxMemPerNode is raised: they run'
scancel "$mem"
run scontrol update jobid="$first" numtasks=16
wait_job 20 "$first" RUNNING
tap_is "$?|$rc" '0|0' 'NumTasks= that its partition has'
scancel "$first"
scontrol update partitionname=small nodes='n[1-2]' && wait_for 20 eval '[[ $(why $small) != *PartitionConfig ]]'
tap_ok $? "a partition that has grown: $(why "$small")"
scontrol update partitionname=small maxnodes=2 && wait_job 20 "$small" RUNNING
tap_ok $? '... and allows two nodes'
scancel "$small"
wait_nodes 20 'n[1-2]' idle
j=$(add -H -n1)
run scontrol update jobid="$j" numtasks=17
scontrol release "$j"
tap_is "$rc|$(why "$j")" '0|PENDING PartitionConfig' 'one that asks for too much afterwards'
scancel "$j"

# ---- MaxNodes holds for jobs that do not say how many nodes ----
scontrol update partitionname=two minnodes=0 maxnodes=1
refuses 'Requested node configuration is not available' -n9 -p two

# ---- refused at once ----
scontrol update partitionname=two minnodes=2 maxnodes=UNLIMITED
for enforce in ANY ALL; do
        configure EnforcePartLimits=$enforce && scontrol reconfigure
        wait_for 20 eval "scontrol show config | grep -q '^EnforcePartLimits *= $enforce$'"
        tap_ok $? "EnforcePartLimits=$enforce"
        refuses 'More processors requested than permitted' -n17
        refuses 'Node count specification invalid' -N3
        refuses 'Node count specification invalid' -N1 -p two
        refuses 'Memory required by task is not available' -p mem --mem=2000
        run sbatch -o /dev/null -n9 -p small,all --wrap true
        [ $enforce = ANY ]
        tap_is "$((rc == 0))" "$((! $?))" 'one of two is too small'
done
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
