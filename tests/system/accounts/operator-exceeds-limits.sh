#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What an operator sets of a job that waits (scontrol update), limits of QOS and of the partition do not bind: its time, its CPUs, its
# memory; also of an array, over kill -9 of the controller and sent back to the queue.  Its owner's wishes they do.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

why() { squeue -h -a -r -o '%i %T %r' --sort=i -j "$1" | paste -sd';'; }
is_why() { [ "$(why "$1")" = "$2" ]; }

at_exit cluster_end
cluster_conf n AccountingStorageEnforce=limits,qos SelectTypeParameters=CR_CPU_Memory \
        'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000' \
        'PartitionName=main Nodes=ALL Default=YES MaxTime=60'
cd "$DIR" || exit 1
cluster_up 'two nodes are idle' n1 n2
me=$(id -un)
sacctmgr -iQ add account team
sacctmgr -iQ add user "$me" account=team
sacctmgr -iQ add qos strict flags=denyonlimit maxwall=10 maxtresperjob=cpu=2,mem=500
sacctmgr -iQ add qos mild maxwall=10 maxtresperuser=cpu=2
sacctmgr -iQ modify user "$me" set qos=strict,mild
run sbatch -q strict -n3 -t 5 --wrap true
tap_is "$rc|${err%%$'\n'*}" '1|sbatch: error: QOSMaxCpuPerJobLimit' 'a submission is bound, whatever user submits'

sbatch -Q -H -o /dev/null -q strict -n2 -t 5 --mem=100 --wrap 'sleep 1000'
run scontrol update jobid=1 timelimit=2:00:00
tap_is "$rc|$err" '0|' 'a longer time than QOS and partition allow'
run scontrol update jobid=1 numtasks=4
tap_is "$rc|$err" '0|' '... and then more CPUs'
run scontrol update jobid=1 minmemorynode=1000
tap_is "$rc|$err" '0|' '... and memory'
run scontrol update jobid=1 numnodes=9 minmemorynode=1
tap_is "$rc|$(scontrol -o show job 1 | grep -oE 'MinMemoryNode=[^ ]*')" '1|MinMemoryNode=1000M' 'one that is refused leaves it'
sbatch -Q -H -o /dev/null -q mild -n1 -t 5 --mem=100 --array=0-1 --requeue --wrap 'sleep 1000'
run scontrol update jobid=2 numcpus=3 timelimit=30
tap_is "$rc|$err" '0|' 'the same of an array'
ctld_kill9 && ctld_start
tap_ok $? 'the controller is killed and comes back'
scontrol release 1 2
wait_for 10 is_why 1,2 '1 RUNNING None;2_0 RUNNING None;2_1 RUNNING None'
tap_is "$?|$(why 1,2)" '0|1 RUNNING None;2_0 RUNNING None;2_1 RUNNING None' 'all of it starts'
scontrol requeue 2_1
wait_for 20 is_why 2_1 '2_1 RUNNING None'
tap_ok $? '... and again'
scancel 1 2
sbatch -Q -H -o /dev/null -q mild -n3 -t 5 --mem=100 --wrap 'sleep 1000'
sbatch -Q -H -o /dev/null -q mild -n2 -t 5 --mem=100 --wrap 'sleep 1000'
run scontrol update jobid=4 timelimit=30
run scontrol update jobid=5 timelimit=30
scontrol release 4 5
wait_for 10 is_why 4,5 '4 PENDING QOSMaxCpuPerUserLimit;5 RUNNING None'
tap_is "$?|$(why 4,5)" '0|4 PENDING QOSMaxCpuPerUserLimit;5 RUNNING None' 'what the operator has not set is bound'

if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
        chmod 755 "$DIR"
        as_nobody() { setpriv --reuid=nobody --regid=nogroup --clear-groups env SLURM_CONF="$SLURM_CONF" SLUMBER_SOCKET="$SLUMBER_SOCKET" "$DIR/bin/$1" "${@:2}"; }
        if as_nobody sinfo >/dev/null 2>&1; then
                sacctmgr -iQ add user nobody account=team
                sacctmgr -iQ modify user nobody set qos=strict,mild
                job=$(as_nobody sbatch --parsable -D / -H -o /dev/null -q mild -n2 -t 5 --mem=100 --wrap 'sleep 1000')
                scontrol update jobid="$job" timelimit=40
                run as_nobody scontrol update jobid="$job" timelimit=30
                scontrol release "$job"
                wait_for 10 is_why "$job" "$job PENDING QOSMaxWallDurationPerJobLimit"
                tap_is "$rc|$(why "$job")" "0|$job PENDING QOSMaxWallDurationPerJobLimit" 'what its owner says anew is bound again'
                scontrol update jobid="$job" timelimit=30
                wait_for 10 is_why "$job" "$job RUNNING None"
                tap_ok $? '... until an operator says it'
        fi
fi
cluster_sound
tap_ok $? 'nothing unsound was logged'
tap_done
