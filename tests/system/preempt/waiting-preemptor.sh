#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job that waits for its victims in one of its partitions does not start in another, so that they were stopped for nothing: also after
# scontrol reconfigure and kill -9 of the controller, and each task of an array.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' PreemptType=preempt/partition_prio PreemptMode=REQUEUE 'PartitionName=p Nodes=n[1-4] Default=YES' \
        'PartitionName=q Nodes=n[1-2] PriorityTier=5' 'PartitionName=r Nodes=n[1-2] GraceTime=600'
cluster_up 'four nodes' n1 n2 n3 n4
put() { sbatch --parsable -o /dev/null -N1 --exclusive -t 60 "$@" --wrap 'sleep 1000'; }
states() { squeue -h -r -o '%i %T %N' --sort=i -j "$1" | paste -sd';'; }
told() { [ "$(scontrol show job "$1" | grep -o 'PreemptTime=[^ ]*')" != PreemptTime=None ]; }
for n in 1 2; do
        v=$(put -p r -w n$n) && wait_job 10 "$v" RUNNING
done
for n in 3 4; do
        b[n]=$(put -w n$n) && wait_job 10 "${b[n]}" RUNNING
done
j=$(put -p p,q --array=0-1)
wait_for 10 told "$v"
tap_ok $? 'two are stopped for two tasks'
run scontrol reconfigure
scancel "${b[3]}"
last=$(put) && wait_job 10 "$last" RUNNING
tap_is "$?|$rc|$(states "$j")" "0|0|${j}_0 PENDING ;${j}_1 PENDING " 'after a reconfiguration they wait, and one behind them has the node'
ctld_kill9 && ctld_start && wait_nodes 20 "n[1-4]" "allocated"
scancel "${b[4]}"
last=$(put) && wait_job 10 "$last" RUNNING
tap_is "$?|$(states "$j")" "0|${j}_0 PENDING ;${j}_1 PENDING " '... after kill -9, too'
scancel "$v" "$((v - 1))"
where() { squeue -h -r -o '%T %N' -j "$j" | sort | paste -sd';'; }
wait_for 20 eval '[ "$(where)" = "RUNNING n1;RUNNING n2" ]'
tap_is "$(where)" 'RUNNING n1;RUNNING n2' 'they start where these were'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
