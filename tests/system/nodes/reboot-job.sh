#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --reboot with real agents: a job whose node's RebootProgram fails is held and told why; kill -9 of the controller and of
# slumberd in the middle of a reboot loses neither the job nor its boot.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

program() { # TEXT: a RebootProgram; the agent that starts it is its parent
        printf '#!/bin/sh\n%s\n' "$1" >"$DIR/reboot.new"
        chmod 755 "$DIR/reboot.new"
        mv "$DIR/reboot.new" "$DIR/reboot"
}
reason() { scontrol -o show job "$1" | sed -n 's/.* Reason=\(.*\) Dependency=.*/\1/p'; }
program 'exit 3'
cluster_conf 'n[1-2]' "RebootProgram=$DIR/reboot" ResumeTimeout=300
cluster_up 'two nodes' n1 n2

# ---- a reboot that fails ----
id=$(sbatch --parsable --reboot --requeue -w n1 -o out --wrap 'echo "ran $SLURM_RESTART_COUNT"')
wait_nodes 20 n1 'down\*?'
tap_ok $? 'the node of a job whose RebootProgram fails is down'
held() { [ "$(job_state "$id")" = PENDING ] && [ "$(job_show "$id" %Q)" = 0 ]; }
wait_for 20 held
tap_ok $? 'the job is held'
tap_like "$(reason "$id")" 'node_n1:_reboot_failed:_RebootProgram_ended_with_exit_status_3' 'and says why'
tap_is "$(sinfo -h -n n2 -o %t)" idle 'no other node is taken down for it'
kept=$(sbatch --parsable --reboot --no-requeue -w n2 --wrap true)
wait_job 20 "$kept" NODE_FAIL
tap_ok $? 'one that may not be requeued ends'

# ---- kills in the middle ----
program "echo \$PPID >>'$DIR/begun'; until [ -e '$DIR/go' ]; do sleep 0.05; done; echo over >>'$DIR/rebooted'; kill -KILL \$PPID"
scontrol update nodename=n1 state=resume
wait_nodes 20 n1 idle
scontrol release "$id"
wait_for 20 test -s begun
tap_is "$? $(job_state "$id")" '0 CONFIGURING' 'released, it has its node rebooted, and waits for that'
ctld_kill9
ctld_start
tap_is "$(job_state "$id") $(sinfo -h -n n1 -o %t)" 'CONFIGURING alloc^' 'a controller that is killed knows both'
agent_kill9 n1
ctld_kill9
ctld_start
refused() { grep -c 'does not accept node n1: .* and this is an earlier boot' log/n1; }
before=$(refused)
agent_start n1
again() { [ "$(refused)" -gt "$before" ]; }
wait_for 20 again
tap_is "$? $(job_state "$id")" '0 CONFIGURING' 'slumberd and controller killed: what registers from before the boot does not begin it'
tap_is "$(cat out 2>/dev/null)" '' 'it has not run'
: >go
wait_for 20 test -s rebooted
agent_kill9 n1 2>/dev/null
agent_start n1 -b
wait_job 30 "$id" COMPLETED
tap_is "$? $(cat out)" '0 ran 1' 'after the boot it runs, once'
wait_nodes 20 n1 idle
tap_ok $? 'and its node is free'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
