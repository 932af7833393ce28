#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What an administrator asks of nodes' power: which node was refused what and why, SuspendTime that means never, a SuspendTimeout
# that would never end, and POWER_DOWN_FORCE, which makes any node idle.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
printf '#!/bin/sh\nexit 0\n' >program && chmod 755 program
nodes=('NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU)
programs=("SuspendProgram=$DIR/program" "ResumeProgram=$DIR/program" SuspendRate=0 ResumeRate=0 SuspendTimeout=1 ResumeTimeout=600)
refused() { # NAME REGEX COMMAND...: exit status 1, and both lines
        run "${@:3}"
        tap_like "$rc|${err//$'\n'/|}" "^1\|$2" "$1"
}

# ---- why ----
cluster_conf n1 "${nodes[@]}" SuspendTime=300
ctld_start
tap_ok $? 'a controller without programs' || { cluster_logs; tap_done; }
refused 'power up where nothing can be switched: the reason is told' \
        'scontrol: error: n2 is IDLE\+CLOUD\+POWERED_DOWN, and there is no ResumeProgram\|slurm_update error: Invalid node state specified$' \
        scontrol power up n2
refused 'the same of state=' 'scontrol: error: n1 is .*, and there is no SuspendProgram; and 2 other nodes are refused\|slurm_update error: Invalid node state specified$' \
        scontrol update 'nodename=n[1-3]' state=power_down
tap_like "$(scontrol show power n1)" 'Why=never woken; nothing wakes it while power saving is off \(no SuspendProgram\)$' 'show power says so, too'
ctld_stop

cluster_conf n1 "${nodes[@]}" "${programs[@]}" SuspendTime=-600 SlurmctldParameters=max_powered_nodes=1 \
        'PartitionName=main Nodes=ALL Default=YES SuspendTime=300'
ctld_start
tap_is "$?|$(scontrol show config | sed -n 's/^SuspendTime *= //p')" '0|INFINITE' 'a negative SuspendTime is none'
refused 'resume of a node that is in service' 'scontrol: error: n1 is IDLE\+CLOUD\+POWERED_DOWN\|slurm_update error: Invalid node state specified$' \
        scontrol update nodename=n1 state=resume
run scontrol power up n1
refused 'one more than max_powered_nodes' 'scontrol: error: n2 is IDLE\+CLOUD\+POWERED_DOWN, and as many as max_powered_nodes=1 .*\|slurm_update error: .*max_powered' \
        scontrol power up n2

# ---- times of a partition ----
part() { scontrol -o show partition main | grep -oE '(SuspendTime|SuspendTimeout)=[^ ]*' | paste -sd' '; }
refused 'a node that is going off never for ever' '.*SuspendTimeout=INFINITE: 0 to 65533 seconds was expected' \
        scontrol update partitionname=main suspendtimeout=INFINITE
refused 'nor longer than slurm.conf allows' '.*SuspendTimeout=70000: 0 to 65533 seconds was expected' \
        scontrol update partitionname=main suspendtimeout=70000
tap_is "$(part)" 'SuspendTimeout=GLOBAL SuspendTime=300' 'nothing has changed'
run scontrol update partitionname=main suspendtime=-5 suspendtimeout=9
tap_is "$rc|$(part)" '0|SuspendTimeout=9 SuspendTime=INFINITE' 'SuspendTime of a partition: negative is never'
run scontrol update partitionname=main suspendtime=NONE
tap_is "$rc|$(part)" '0|SuspendTimeout=9 SuspendTime=INFINITE' 'and so is NONE'
run scontrol update partitionname=main suspendtimeout=1

# ---- POWER_DOWN_FORCE ----
for state in drain fail down; do
        run scontrol update nodename=n3 state=$state reason=broken
        run scontrol update nodename=n3 state=power_down_force
        wait_nodes 20 n3 'idle~'
        tap_is "$?|$rc" '0|0' "$state, power_down_force: it is off and idle"
done
# for so long a node that wakes may still be on its way down
run scontrol update partitionname=main suspendtimeout=60
job=$(sbatch --parsable -w n3 -o /dev/null --wrap true)
run scontrol power down force n1
wait_for 20 eval '[ "$(sinfo -h -N -n n3 -o %t)" = "mix#" ]'
tap_ok $? "a job has it: JobId=$job"

# ---- an agent of a machine that has not been booted for it ----
agent_start n3
wait_for 20 grep -q 'does not accept node n3: node n3 is POWERING_UP since 20[-0-9T:]*, and this is an earlier boot; .*start slumberd with -b' log/n3
tap_ok $? 'is told what is missing'
agent_stop n3
agent_start n3 -b
wait_job 20 "$job" COMPLETED
tap_ok $? 'with -b it serves'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
