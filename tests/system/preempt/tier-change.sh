#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol update partition while one stands still for another: the tiers and modes of now decide which job runs, at once.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PartitionName= \
        'PartitionName=DEFAULT Nodes=n1 OverSubscribe=FORCE:1' 'PartitionName=low PriorityTier=1 Default=YES' 'PartitionName=high PriorityTier=3'
cluster_up 'a node' n1
for part in low high; do
        j=$(sbatch --parsable -o /dev/null -n4 -p $part --wrap 'sleep 1000') && wait_job 20 "$j" RUNNING
done
now() { [ "$(squeue -h -S i -o '%P %t' | paste -sd' ')" = "$1" ]; }
becomes() { # WHAT-IS-SHOWN WHY SETTING...
        local shown=$1 why=$2
        shift 2
        scontrol update "$@" && wait_for 20 now "$shown"
        tap_is "$?|$(squeue -h -S i -o '%P %t' | paste -sd' ')" "0|$shown" "$why"
}
stays() { # nothing is to come: what the controller does first has been done
        becomes "$@" && sbatch -Q -n1 --hold --wrap true && scancel --state=PENDING --me
}
wait_for 20 now 'low S high R'
tap_ok $? 'the high one runs, the low one stands still'
becomes 'low R high S' 'the suspended job is of the higher tier now, and runs' partitionname=low prioritytier=5
becomes 'low S high R' 'and the other way round' partitionname=low prioritytier=1
stays 'low S high R' 'of equal tiers the running job runs on' partitionname=low prioritytier=3
stays 'low S high R' 'also where the suspended job is higher, but the running one cannot be suspended' partitionname=high prioritytier=1 preemptmode=off
becomes 'low R high S' '... until it can' partitionname=high preemptmode=suspend
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
