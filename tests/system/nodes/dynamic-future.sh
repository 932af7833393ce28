#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumberd -F: a machine that slurm.conf does not know becomes a node of State=FUTURE with its hardware, stays that node when the
# controller is killed, when slumberd is killed and while a job runs, and gives it back when an admin says FUTURE; what does not fit
# is refused by name.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf n1
cat >>"$DIR/slurm.conf" <<END
NodeName=f[1-2] CPUs=2 RealMemory=500 State=FUTURE Feature=small
NodeName=g1 CPUs=2 RealMemory=900 State=FUTURE Feature=big,fast
END
cluster_up 'a cluster with FUTURE nodes' n1
cd "$DIR" || exit 1
node() { scontrol -o show node "$1"; }
said() { grep -q "$2" "log/$1"; }
has() { [[ $(node "$1") =~ $2 ]]; }
tap_is "$(sinfo -h -N -o %N | paste -sd,)" n1 'FUTURE nodes are not shown'

agent_start m1 -F --conf 'CPUs=2 RealMemory=600'
wait_nodes 20 f1 idle
tap_ok $? 'slumberd -F becomes the first node that fits' || cluster_logs
tap_like "$(node f1)" 'AvailableFeatures=small .*NodeAddr=127.0.0.1 NodeHostName=m1 .*RealMemory=500 .*State=IDLE\+DYNAMIC_FUTURE ' \
        'it is shown as DYNAMIC_FUTURE, with the machine as its host'
agent_start m2 -Fbig --conf 'CPUs=2 RealMemory=1000'
wait_nodes 20 g1 idle
tap_ok $? '-Fbig: one with that feature' || cluster_logs
agent_start m3 -F --conf 'CPUs=4 RealMemory=1000'
wait_for 20 said m3 'm3 cannot become a node: no free node of State=FUTURE has CPUs=4 '
tap_ok $? 'hardware that no FUTURE node has is refused by name' || cluster_logs
agent_stop m3
agent_start m4 -Fnone --conf 'CPUs=2 RealMemory=1000'
wait_for 20 said m4 'and the feature none'
tap_ok $? '... so is a feature' || cluster_logs
agent_stop m4
run "$SLUMBERD" -D -f "$SLURM_CONF" -N m5 -F -Z --socket "$DIR/m5.sock"
tap_like "$rc|$err" '^1\|.*-Z and -F' '-F and -Z are refused together'
tap_like "$("$SLUMBERD" --help)" '-F, --future\[=' '--help has it'

job=$(sbatch --parsable -o /dev/null -w f1 --wrap 'until [ -e enough ]; do sleep 0.05; done')
wait_job 20 "$job" RUNNING
tap_ok $? 'a job runs there' || scontrol show job "$job"
ctld_kill9
ctld_start
wait_nodes 20 f1 mixed && wait_nodes 20 g1 idle
tap_ok $? 'after kill -9 of the controller the machines are the same nodes' || cluster_logs
agent_kill9 m1
wait_nodes 20 f1 'mixed\*'
agent_start m1 -F --conf 'CPUs=2 RealMemory=600'
wait_nodes 20 f1 mixed
tap_ok $? 'a slumberd that is killed and started again is the same node' || cluster_logs
tap_like "$(node f1)|$(node f2)" 'NodeHostName=m1 .*State=MIXED\+DYNAMIC_FUTURE .*\|.*State=FUTURE ' '... and no other'
run scontrol reconfigure
tap_like "$rc|$(node f1)" '^0\|.*NodeHostName=m1 .*State=MIXED\+DYNAMIC_FUTURE ' 'a reconfiguration leaves it'
touch enough
wait_job 20 "$job" COMPLETED
tap_ok $? 'the job ends well' || scontrol show job "$job"

agent_stop m1
run scontrol update nodename=f1 state=DOWN reason=gone
run scontrol update nodename=f1 state=FUTURE
tap_like "$rc|$(node f1)" '^0\|.*NodeHostName=f1 .*State=FUTURE(\+NOT_RESPONDING)? ' 'FUTURE gives it back'
agent_start m6 -Fsmall --conf 'CPUs=2 RealMemory=500'
wait_for 20 has f1 'NodeHostName=m6 '
tap_ok $? 'another machine becomes it' || cluster_logs
tap_done
