#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that no signal ends (state D): a health check holds its node's registration up no longer
# than its time; what an epilog has left in its job's group (RunInJob) is waited for.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
stuck_folder
mkdir "$DIR/hooks"
program() { printf '#!/bin/sh\n%s\n' "$2" >"$DIR/hooks/$1" && chmod 755 "$DIR/hooks/$1"; }
program check "touch $DIR/checks; exec touch $DIR/stuck/x"
program epilog "sh -c 'touch $DIR/leaves; touch $DIR/stuck/y' & until [ -e $DIR/leaves ]; do sleep 0.02; done"
cluster_conf n1 KillWait=1 "HealthCheckProgram=$DIR/hooks/check" HealthCheckInterval=0 HealthCheckTimeout=1 \
        PrologFlags=RunInJob "Epilog=$DIR/hooks/epilog"
cd "$DIR" || exit 1
fsfreeze -f stuck
ctld_start && agent_start n1
wait_for 20 test -e checks
wait_nodes 20 n1 idle
tap_ok $? 'a node whose health check cannot be killed is registered'
tap_ok "$(grep -q 'HealthCheckProgram: .*check does not end although it is killed' log/n1; echo $?)" \
        '... and its log says so'
job=$(sbatch --parsable -o /dev/null --wrap true)
wait_for 20 test -e leaves
wait_for 20 grep -q "Epilog of job $job has ended" log/n1
tap_is "$(squeue -h -j "$job" -o %t)" CG 'a job is not gone before what its epilog has left is'
fsfreeze -u stuck
wait_for 20 eval '! squeue -h -j "$job" 2>/dev/null | grep -q .'
tap_ok $? '... and then is'
tap_done
