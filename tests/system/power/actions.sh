#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PowerAction: a program with a name, run by the controller for all nodes or by each node for itself, for SuspendProgram and for requests.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cat >act <<END
#!/bin/sh
echo "\$SLURM_NODE_NAME|\$*" >>$DIR/calls
[ ! -e $DIR/fail ] || exit 3
END
chmod 755 act && : >calls
cluster_conf 'n[1-2]' SuspendProgram=halt "ResumeProgram=$DIR/act" RebootProgram=cycle SuspendTimeout=5 ResumeTimeout=60 SuspendRate=0 ResumeRate=0
cat >>slurm.conf <<END
PowerAction=halt location=SLURMD program="$DIR/act -h now"
PowerAction=cycle Program="$DIR/act cycle" Location=slurmctld
PowerAction=wake Location=slurmctld Program=$DIR/act
PowerAction=odd Location=slurmctld Program="$DIR/act --flag 'x;id'"
END
called() { wait_for 10 grep -qFx "$1" calls; }

# ---- lines that say nothing sensible ----
refused() { # LINE REGEX NAME
        { grep -v "^${1%%[ =]*}=${4:-none} " slurm.conf; echo "$1"; } >bad.conf
        run "$CTLD" --check -f "$DIR/bad.conf"
        tap_like "$rc $err" "^1 .*$2" "$3"
}
refused "PowerAction=halt Location=slurmctld Program=$DIR/act" 'bad.conf line [0-9]+: PowerAction: halt is named twice' 'a name twice is refused'
refused "PowerAction=x Program=$DIR/act" 'PowerAction: Location is missing: slurmctld or slurmd' 'an action without a place'
refused 'PowerAction=x Location=slurmd' 'PowerAction: Program: "" is not an absolute path' 'one without a program'
refused 'PowerAction=x Location=moon Program=/bin/true' 'Location: "?moon' 'one at another place'
refused 'ResumeFailProgram=nope' 'ResumeFailProgram: "nope" is neither an absolute path nor the name of a PowerAction' 'a name that no line has'
tap_is "$(grep -c nope <<<"$err")" 1 '... is one fault'
refused 'ResumeFailProgram=halt' 'ResumeFailProgram: PowerAction halt has Location=slurmd' 'a program that nodes without power would run'
touch plain
refused "PowerAction=x Location=slurmctld Program=$DIR/plain" "bad.conf line [0-9]+: PowerAction=x: $DIR/plain is not executable" 'one that is no program, although no key names it'
refused "Program=$DIR/act PowerAction=x Location=slurmctld" 'PowerAction: it is the first word of its line' 'a line that begins with another key'
echo "PowerAction=x Location=slurmctld Program=$DIR/none" | cat slurm.conf - >bad.conf
run "$CTLD" --check -f "$DIR/bad.conf"
tap_like "$err" "warning: PowerAction=x: $DIR/none: No such file" 'one whose program is missing is told of'

# ---- by the nodes ----
printf '%s\n' ResumeFailProgram=gone "PowerAction=gone Location=slurmctld Program=$DIR/none" >>slurm.conf
cluster_up 'two nodes' n1 n2
tap_is "$(grep -o "[A-Za-z]*: $DIR/none: .*" log/ctld)" "ResumeFailProgram: $DIR/none: No such file or directory" 'a start tells once of the missing program of an action that a key names'
tap_like "$(scontrol show config)" 'SuspendProgram += halt' 'scontrol show config has the name'
scontrol power down n1
called 'n1|-h now n1'
tap_ok $? 'SuspendProgram of Location=slurmd runs on its node, with its name behind the arguments, without SuspendTime'
agent_stop n1
wait_nodes 20 n1 'idle~'
tap_ok $? 'and the node is off'
touch fail
scontrol power down n2
wait_for 20 grep -q 'PowerAction on node n2: PowerAction halt ended with exit status 3' log/ctld
tap_ok $? 'one that fails on its node is told'
wait_nodes 20 n2 'idle!'
tap_like "$? $(scontrol -o show power n2)" '^0 .*could not be switched off \(no-power: PowerAction halt ended with exit status 3\)' 'and the node is on still'
rm fail

# ---- by requests ----
run scontrol power down n2 Action=nope
tap_like "$rc $err" '^1 .*slurm.conf has no PowerAction "nope"' 'a name that is none is refused'
run scontrol power up n1 Action=halt
tap_like "$rc $err" '^1 .*PowerAction halt has Location=slurmd: nodes without power run nothing' 'so is one that a node without power would run'
scontrol power down n2 Action=odd
called "|--flag 'x;id' n2"
tap_ok $? 'a request has the action that it names, by the controller, and no shell sees it'
agent_stop n2
wait_nodes 20 n2 'idle~'
scontrol power up force n1 Action=wake && scontrol power up n2
called '|n1' && called '|n2'
tap_is "$?|$(sinfo -h -n 'n[1-2]' -o %T | sort -u)" '0|idle#' 'so has power up; the other one has ResumeProgram'
agent_start n1 -b && agent_start n2 -b
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'both are back'

# ---- reboots ----
scontrol reboot n1 && scontrol reboot force action=halt n2
called '|cycle n1' && called 'n2|-h now n2'
tap_is "$?|$(sinfo -h -n 'n[1-2]' -o %T | sort -u)" '0|reboot^' 'a reboot by RebootProgram=NAME, and one by an action of its own'
scontrol write config "$DIR/again" >/dev/null && grep -q '^PowerAction=odd Location=slurmctld Program=' again.*
tap_ok $? 'scontrol write config has the lines'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
