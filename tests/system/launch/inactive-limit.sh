#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# InactiveLimit: an allocation ends when the command that holds it does not answer; that of one which answers goes on, and so do those of a
# partition with RootOnly.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root uses a partition with RootOnly'

at_exit cluster_end
cluster_conf n1 InactiveLimit=2 KillWait=1 'yaml heartbeat: 1' \
        'PartitionName=main Nodes=ALL Default=YES
PartitionName=root Nodes=ALL RootOnly=YES'
cd "$DIR" || exit 1
cluster_up 'a node' n1
running() { # NAME: sets id
        id=$(squeue -h -n "$1" -t R -o %i)
        [ -n "$id" ]
}
hold() { # NAME OPTION...: salloc in the background; sets pid and id
        salloc -n1 -J "$@" sleep 1000 >"$1.out" 2>&1 </dev/null &
        pid=$!
        at_exit eval "kill -KILL $pid \$(descendants $pid) 2>/dev/null"
        wait_for 20 running "$1"
}
hold answers && answers=$id
hold root -p root && root=$id && kill -STOP "$pid"
hold stopped && stopped=$id && kill -STOP "$pid"
tap_ok $? 'three allocations'
srun -n1 -J srun sleep 1000 >srun.out 2>&1 </dev/null &
pid=$!
wait_for 20 running srun && srun=$id && kill -STOP "$pid"
tap_ok $? 'and one of srun'
wait_job 30 "$stopped" TIMEOUT
tap_ok $? 'that of a salloc which is stopped ends'
tap_like "$(scontrol show job "$stopped")" 'JobState=TIMEOUT Reason=InactiveLimit' 'and scontrol says why'
wait_job 30 "$srun" TIMEOUT
tap_ok $? 'that of a stopped srun, too'
tap_is "$(job_state "$answers")" RUNNING 'that of one which answers goes on'
tap_is "$(job_state "$root")" RUNNING 'and that of a partition with RootOnly'
kill -CONT "$pid"
wait "$pid"
tap_ok $((! $?)) 'srun learns of it when it goes on'
cluster_sound
tap_ok $? "no daemon has said anything that only a bug says"
tap_done
