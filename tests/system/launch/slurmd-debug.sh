#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun --slurmd-debug: what step daemons do, on srun's standard error; for root and SlurmUser alone.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"
cluster_conf 'n[1-2]'
cluster_up 'two nodes' n1 n2
lines() { sed -E 's/\([0-9]+\)/(P)/; s/[0-9]{4}-[0-9-]+T[0-9:]+/TIME/' | sort; }

run srun -N2 --slurmd-debug=info sh -c 'exit $SLURM_PROCID'
tap_is "$rc|$(grep -v '^srun' <<<"$err" | lines)" "1|slurmstepd-n1: starting 1 tasks
slurmstepd-n1: task 0 (P) exited with exit code 0.
slurmstepd-n1: task 0 (P) started TIME
slurmstepd-n2: starting 1 tasks
slurmstepd-n2: task 1 (P) exited with exit code 1.
slurmstepd-n2: task 1 (P) started TIME" 'the tasks of both nodes'
# shellcheck disable=SC2016
run srun -n1 --slurmd-debug=1 sh -c 'kill -9 $$'
tap_like "$err" 'slurmstepd-n1: task 0 \([0-9]+\) exited. Killed by signal 9\.' 'a signal'
for level in debug 4; do
        run srun -n1 --slurmd-debug=$level true
        tap_like "$err" 'slurmstepd-n1: debug:  StepId=[0-9]+\.0: node 0 of 1, uid 0, gid 0' "--slurmd-debug=$level tells more"
done
for level in quiet fatal error 0; do
        run srun -n1 --slurmd-debug=$level true
        tap_is "$rc|$err" '0|' "--slurmd-debug=$level tells nothing"
done
run env SLURMD_DEBUG=1 srun -n1 true
tap_like "$err" 'slurmstepd-n1: starting 1 tasks' 'SLURMD_DEBUG'
for bad in 5 -1 much ''; do
        run srun -n1 --slurmd-debug="$bad" true
        tap_like "$rc|$err" "^[1-9].*Invalid --slurmd-debug specification: $bad" "--slurmd-debug=$bad is refused"
done
run setpriv --reuid 65534 --regid 65534 --clear-groups srun -n1 --slurmd-debug=info true
tap_like "$rc|$err" '^1\|.*--slurmd-debug is for root and SlurmUser alone' 'another user is refused'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
