#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a cloud's scripts say while nodes boot: a notice for a job with booting nodes, and the address of a node.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
program_conf 'n[1-2]' ResumeTimeout=60 SuspendTimeout=2
ctld_start
tap_ok $? 'a controller, its nodes off'
address() { scontrol -o show node "$1" | grep -o 'NodeAddr=[^ ]*'; }

# ---- a notice for a job that is CONFIGURING ----
job=$(sbatch -Q --parsable -w n1 -o out -e err --wrap 'echo up $SLURM_NODE_ALIASES; srun sh -c "echo task \$SLURM_NODE_ALIASES"; until [ -e through ]; do sleep 0.05; done')
configuring() { [ "$(squeue -h -o %t)" = CF ]; }
wait_for 20 configuring
run scontrol notify "$job" your node boots
tap_is "$rc|$err" '0|' 'a job with booting nodes takes a notice'
run scontrol notify "$job" it takes a while
tap_is "$rc|$err" '0|' '... and another one'
ctld_kill9
ctld_start
scontrol update nodename=n1 nodeaddr=10.1.2.3
tap_is "$(address n1)" NodeAddr=10.1.2.3 'the address of a node that boots'
clock_ticks
agent_start n1 -b
heard() { grep -q 'takes a while' err; }
wait_for 20 heard
tap_is "$(grep -c 'error: your node boots$' err)|$(grep -c 'error: it takes a while$' err)" '1|1' 'its script hears both once it runs, after a crash of the controller, too'
wait_job 20 "$job" RUNNING
tap_ok $? 'its node is up'
tap_is "$(address n1)" NodeAddr=10.1.2.3 'what was said of its address stays when it registers'
alias_of() { # NODE ADDRESS
        echo "$1:[$2]:$(scontrol -o show node "$1" | grep -o 'NodeHostName=[^ ]*' | cut -d= -f2)"
}
wait_for 20 grep -q task out
tap_is "$(cat out)" "$(printf '%s %s\n' up "$(alias_of n1 10.1.2.3)" task "$(alias_of n1 10.1.2.3)")" \
        'its script and its tasks have SLURM_NODE_ALIASES'
touch through
wait_job 20 "$job" COMPLETED
# shellcheck disable=SC2016
salloc -Q -N2 sh -c 'echo $SLURM_NODE_ALIASES; srun sh -c "echo \$SLURM_NODE_ALIASES"' >out2 &
salloc=$!
wait_for 20 configuring
scontrol update nodename=n2 nodeaddr=10.1.2.4
clock_ticks
agent_start n2 -b
wait "$salloc"
tap_ok $? 'the other node is up, and salloc ends well'
both=$(alias_of n1 10.1.2.3),$(alias_of n2 10.1.2.4)
tap_is "$(cat out2)" "$(printf '%s\n' "$both" "$both" "$both")" \
        'so has the command of salloc, which waited for the boot'

# ---- addresses ----
agent_stop n1
agent_stop n2
scontrol update nodename=n1 state=power_down_force
off() { [[ $(sinfo -h -n "$1" -o %t) == idle~ ]]; }
release
wait_for 30 off n1
tap_is "$(address n1)" NodeAddr=n1 'off again it has none'
echo 'SlurmctldParameters=cloud_reg_addrs' >>slurm.conf
scontrol reconfigure
clock_ticks
scontrol update nodename=n1 state=power_up
scontrol update nodename=n1 nodeaddr=10.1.2.3
agent_start n1 -b
wait_nodes 20 n1 idle
tap_is "$(address n1)" NodeAddr=127.0.0.1 'with cloud_reg_addrs it is where its agent is'
sed -i 's/cloud_reg_addrs/cloud_dns/' slurm.conf && scontrol reconfigure
# shellcheck disable=SC2016
run srun -w n1 sh -c 'echo "none: $SLURM_NODE_ALIASES"'
tap_is "$out" 'none: ' 'with cloud_dns the names are enough'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
