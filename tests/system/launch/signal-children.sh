#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Signals are for a step's tasks; with SignalChildrenProcesses=yes of cgroup.conf also for what these have started.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf n1
cluster_up 'the node is idle' n1
cd "$DIR" || exit 1
cat >task.sh <<'END_OF_TASK'
#!/bin/bash
trap 'echo task >>got' USR1
bash -c 'trap "echo child >>got" USR1; touch ready; until [ -e go ]; do sleep 0.05; done' &
until [ -e ready ] && [ -e go ]; do sleep 0.05; done 2>/dev/null
wait
END_OF_TASK
chmod +x task.sh
signalled() { # WHO...: who has got SIGUSR1, when these have
        rm -f got ready go
        srun --overlap -n1 ./task.sh </dev/null 2>srun.err &
        wait_for 20 test -e ready
        scancel -s USR1 "$(squeue -h -s -o %i | head -1)"
        for who; do wait_for 20 grep -q "$who" got; done
        : >go
        wait $!
        sort -u got | xargs
}
tap_is "$(signalled task)" 'task' 'a signal is for the task alone'
echo SignalChildrenProcesses=yes >cgroup.conf
scontrol reconfigure
tap_is "$(signalled task child)" 'child task' 'with SignalChildrenProcesses=yes also for its child'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
