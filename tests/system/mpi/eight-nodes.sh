#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of MPICH and Open MPI on eight nodes, and frozen by preemption while they run.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/mpi.sh
. "$(dirname "$0")/../mpi.sh"
at_exit cluster_end
kinds=mpich
[ ! -x "$SLUMBER_BUILD/agent/slumberpmixd" ] || kinds='mpich openmpi'
cluster_conf 'n[1-8]' SelectType=select/linear SelectTypeParameters= KillWait=1 \
        PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PartitionName= \
        'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-8]' \
        'PartitionName=low PriorityTier=1 Default=YES' 'PartitionName=high PriorityTier=2'
cd "$DIR" || exit 1
cluster_up 'eight nodes' n{1..8}
# nodes of one host would take each other's shared memory for theirs
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=tcp,self
# shellcheck disable=SC2317 # wait_for calls them
count() { cat stop.count 2>/dev/null || echo 0; }
# shellcheck disable=SC2317
counts_on() { [ "$(count)" -gt "$1" ]; }
for kind in $kinds; do
        mpi_program "$kind"
        s -N8 -n16 --overcommit ./program hello
        tap_is "$rc $(sort <<<"$out")" "0 $(hellos 16)" "$kind: sixteen tasks have their ranks"
        s -N8 -n16 --overcommit --distribution=cyclic ./program ring
        tap_is "$rc $out" '0 sum 120' "$kind: a ring that goes round the nodes"
        s -N8 -n16 --overcommit ./program abort 15 7
        tap_is "$rc" 7 "$kind: the last task aborts"

        rm -f stop stop.count
        srun -N8 -n8 ./program go stop >gone 2>err </dev/null &
        pid=$!
        wait_for 120 counts_on 2
        tap_ok $? "$kind: tasks meet in barriers"
        s -p high -N1 -w n3 true
        tap_is "$rc" 0 "$kind: a job that preempts one of its nodes"
        wait_for 120 counts_on "$(($(count) + 2))"
        tap_ok $? "$kind: when it has ended the tasks go on"
        touch stop
        wait "$pid"
        tap_is "$? $(cat gone err)" '0 gone on' "$kind: ... and end well"
done
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
