#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun and salloc say at once why they will wait, where that is known.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-2]' 'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=short Nodes=ALL MaxTime=1 State=UP
PartitionName=down Nodes=ALL State=DOWN
PartitionName=half Nodes=n2 MaxTime=INFINITE State=UP'
cluster_up 'a cluster' n1 n2
cd "$DIR" || exit 1

# says WORDS COMMAND...: the command's first lines, up to that it is queued; then it is ended
says() {
        local words=$1 pid
        shift
        : >out
        env --default-signal=INT "$@" >out 2>&1 </dev/null &
        pid=$!
        wait_for 20 grep -q ' queued and waiting' out
        kill -INT $pid
        wait $pid
        tap_is "$(sed '/queued and waiting/,$d; /Pending job/d' out)" "$words" "${*%% true}: ${words:-nothing}"
}
says 'srun: Requested partition configuration not available now' srun -p short -t 5 true
says 'salloc: Requested partition configuration not available now' salloc -p short -t 1:01 true
says 'srun: Partition in DOWN state' srun -p down true
says 'salloc: Partition in DOWN state' salloc -p down true
says '' srun -p down,main -b now+1hour true
says 'srun: Job is in held state, pending scheduler release' srun -H true
says '' srun -b now+1hour true
# ---- nodes out of service ----
lacks='Required node not available (down, drained or reserved)'
scontrol update nodename=n1 state=drain reason=test
says "srun: $lacks" srun -w n1 true
says '' srun -b now+1hour true
scontrol update nodename=n2 state=down reason=test
says "srun: $lacks" srun true
says "salloc: $lacks" salloc true
says "srun: $lacks" srun -p main,half -b now+1hour true
says 'srun: Job is in held state, pending scheduler release' srun -H true
scontrol update nodename=n1 state=resume
says "srun: $lacks" srun -N2 true
says "srun: $lacks" srun -p half true
says "srun: $lacks" srun -x n1 true
says '' srun -p half,main -b now+1hour true
scontrol update nodename=n2 state=resume
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
